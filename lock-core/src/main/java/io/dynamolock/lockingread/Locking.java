package io.dynamolock.lockingread;

import io.dynamolock.internal.threads.Futures;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * The settings that all locks of a table share, and the calls that lock, extend and free an item. If the condition of a
 * call does not hold, the call fails with an exception that contains the present item. Thread-safe.
 *
 * @param lockAbsent whether an item that does not exist is created and locked; otherwise it is refused
 */
record Locking<T>(
        Mapping<T> mapping,
        ItemCalls calls,
        LockAttributes names,
        boolean lockAbsent,
        Observations observations,
        String owner,
        Duration pollMin,
        Duration pollMax,
        TimeSource time,
        Delayer delayer) {

    /**
     * Locks the item if it is free or if the lock in it may be taken over. It also succeeds if the item already
     * contains this lock because the call was sent before. The result is the item before the call.
     */
    CompletableFuture<Map<String, AttributeValue>> lock(ItemId item, ItemLock lock) {
        ItemExpression expression = new ItemExpression();
        lock.attributes(names).forEach(expression::set);
        if (!lockAbsent) {
            expression.require(
                    expression.present(mapping.schema().tableMetadata().primaryPartitionKey()));
        }
        List<String> alternatives = observations.conditions(item, names, expression);
        // All four must be absent: without a token, the other attributes may be data of the user's.
        alternatives.add(names.all().stream().map(expression::absent).collect(Collectors.joining(" AND ")));
        alternatives.add(names.isNotExtendedBeyond(lock.until(), lock.token(), expression));
        expression.require("(" + String.join(" OR ", alternatives) + ")");
        return update(item, expression, ReturnValue.ALL_OLD);
    }

    /** Extends the lock if the item still contains it. */
    CompletableFuture<Map<String, AttributeValue>> extend(ItemId item, ItemLock extended) {
        ItemExpression expression = new ItemExpression();
        // An extension that arrives late must not undo a later one.
        expression.require(names.isNotExtendedBeyond(extended.until(), extended.token(), expression));
        extended.attributes(names).forEach(expression::set);
        return update(item, expression, ReturnValue.NONE);
    }

    /** Unlocks the item if it still contains the lock with this token. */
    CompletableFuture<Boolean> release(ItemId item, String token) {
        return calls.uninterrupted(() -> update(item, unlocking(token), ReturnValue.NONE));
    }

    /**
     * Deletes the item if it still contains the lock with this token, and no attribute of the class but those of the
     * key.
     */
    CompletableFuture<Boolean> delete(ItemId item, String token) {
        ItemExpression expression = holding(token);
        mapping.schema().attributeNames().stream()
                .filter(name -> !item.key().containsKey(name) && !names.all().contains(name))
                .forEach(name -> expression.require(expression.absent(name)));
        return calls.uninterrupted(() -> calls.delete().apply(expression.delete(item)));
    }

    /** The expression that unlocks the item. The caller may add changes. */
    ItemExpression unlocking(String token) {
        ItemExpression expression = holding(token);
        names.all().forEach(expression::remove);
        return expression;
    }

    /** An expression with the condition that the item contains the lock with this token. */
    private ItemExpression holding(String token) {
        ItemExpression expression = new ItemExpression();
        return expression.require(names.tokenEquals(token, expression));
    }

    /**
     * Sends an update.
     *
     * @param returned which attributes are the result
     */
    CompletableFuture<Map<String, AttributeValue>> update(
            ItemId item, ItemExpression expression, ReturnValue returned) {
        return Futures.of(() ->
                calls.update().apply(expression.update(item, returned)).thenApply(UpdateItemResponse::attributes));
    }
}
