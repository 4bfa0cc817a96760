package io.dynamolock.lockingread;

import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.threads.Futures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * What the locks of a table share, and the calls of their lives. Each call fails with the item as it is if its condition
 * fails. Thread-safe.
 *
 * @param lockAbsent whether an item that is not there is locked, or refused
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
        Pauses pauses) {

    /**
     * Locks the item if it is free, or already locked by this lock because the call was sent before; answers with the
     * item as it was.
     */
    CompletableFuture<Map<String, AttributeValue>> lock(ItemId item, ItemLock lock) {
        ItemExpression expression = new ItemExpression();
        lock.attributes(names).forEach(expression::set);
        if (!lockAbsent) {
            expression.require(
                    expression.present(mapping.schema().tableMetadata().primaryPartitionKey()));
        }
        List<String> ways = observations.conditions(item, names, expression);
        // Also without a token, what stands there may be data of the user's.
        ways.add(names.all().stream().map(expression::absent).collect(Collectors.joining(" AND ")));
        ways.add(names.standsUpTo(lock.until(), lock.token(), expression));
        expression.require("(" + String.join(" OR ", ways) + ")");
        return update(item, expression, ReturnValue.ALL_OLD);
    }

    CompletableFuture<Map<String, AttributeValue>> extend(ItemId item, ItemLock extended) {
        ItemExpression expression = new ItemExpression();
        // A late sending takes nothing back.
        expression.require(names.standsUpTo(extended.until(), extended.token(), expression));
        extended.attributes(names).forEach(expression::set);
        return update(item, expression, ReturnValue.NONE);
    }

    CompletableFuture<Boolean> release(ItemId item, String token) {
        return calls.uninterrupted(() -> update(item, unlocking(token), ReturnValue.NONE));
    }

    /** Deletes an item in which nothing stands but the lock, as far as the class knows its attributes. */
    CompletableFuture<Boolean> delete(ItemId item, String token) {
        ItemExpression expression = holding(token);
        mapping.schema().attributeNames().stream()
                .filter(name -> !item.key().containsKey(name) && !names.all().contains(name))
                .forEach(name -> expression.require(expression.absent(name)));
        return calls.uninterrupted(() -> calls.delete().apply(expression.delete(item)));
    }

    /** What unlocks the item; a change may be added. */
    ItemExpression unlocking(String token) {
        ItemExpression expression = holding(token);
        names.all().forEach(expression::remove);
        return expression;
    }

    private ItemExpression holding(String token) {
        ItemExpression expression = new ItemExpression();
        return expression.require(names.tokenEquals(token, expression));
    }

    /** @param returned which attributes it answers with */
    CompletableFuture<Map<String, AttributeValue>> update(
            ItemId item, ItemExpression expression, ReturnValue returned) {
        return Futures.of(() ->
                calls.update().apply(expression.update(item, returned)).thenApply(UpdateItemResponse::attributes));
    }
}
