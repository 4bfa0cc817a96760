package io.dynamolock.lockingread;

import io.dynamolock.internal.threads.Futures;
import io.dynamolock.internal.time.ClockReading;
import io.dynamolock.internal.time.StoreClock;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

/**
 * The settings that all locks of a table share, and the calls that lock, extend and free an item. If the condition of a
 * call does not hold, the call fails with an exception that contains the present item. Thread-safe.
 *
 * @param lockAbsent whether an item that does not exist is created and locked; otherwise it is refused
 * @param storeClock tells the latest that DynamoDB's clock can say, by the answers to the calls about all items
 */
record Locking<T>(
        Mapping<T> mapping,
        ItemCalls calls,
        LockAttributes names,
        boolean lockAbsent,
        Observations observations,
        StoreClock storeClock,
        String owner,
        Duration pollMin,
        Duration pollMax,
        TimeSource time,
        Delayer delayer) {

    /**
     * Locks the item if it is free or if the lock in it may be taken over. It also succeeds if the item already
     * contains this lock because the call, or an earlier one, was sent before. The answer has the item before the call.
     */
    CompletableFuture<Answer> lock(ItemId item, LockToken token, Lease lease) {
        ItemExpression expression = new ItemExpression();
        names.of(token, owner, lease).forEach(expression::set);
        if (!lockAbsent) {
            expression.require(
                    expression.present(mapping.schema().tableMetadata().primaryPartitionKey()));
        }
        List<String> alternatives = observations.conditions(item, names, expression);
        // All four must be absent: without a token, the other attributes may be data of the user's.
        alternatives.add(names.all().stream().map(expression::absent).collect(Collectors.joining(" AND ")));
        alternatives.add(names.containsNoLater(token, expression));
        expression.require("(" + String.join(" OR ", alternatives) + ")");
        return update(item, expression, ReturnValue.ALL_OLD);
    }

    /** A lease of this length for a call that is sent now. */
    Lease leaseFromNow(Duration length) {
        return Lease.from(time, storeClock, length);
    }

    /** Extends the lock if the item still contains it. */
    CompletableFuture<Answer> extend(ItemId item, LockToken token, Lease extended) {
        ItemExpression expression = new ItemExpression();
        // An extension that arrives late must not undo a later one.
        expression.require(names.containsNoLater(token, expression));
        names.of(token, owner, extended).forEach(expression::set);
        return update(item, expression, ReturnValue.NONE);
    }

    /** Unlocks the item if it still contains the lock. */
    CompletableFuture<Boolean> release(ItemId item, LockToken token) {
        return calls.uninterrupted(
                () -> update(item, unlocking(token), ReturnValue.NONE).thenApply(answer -> true));
    }

    /** Deletes the item if it still contains the lock, and no attribute of the class but those of the key. */
    CompletableFuture<Boolean> delete(ItemId item, LockToken token) {
        ItemExpression expression = holding(token);
        mapping.schema().attributeNames().stream()
                .filter(name -> !item.key().containsKey(name) && !names.all().contains(name))
                .forEach(name -> expression.require(expression.absent(name)));
        return calls.uninterrupted(
                () -> noted(() -> calls.delete().apply(expression.delete(item))).thenApply(answer -> true));
    }

    /** The expression that unlocks the item. The caller may add changes. */
    ItemExpression unlocking(LockToken token) {
        ItemExpression expression = holding(token);
        names.all().forEach(expression::remove);
        return expression;
    }

    /** An expression with the condition that the item contains the lock. */
    private ItemExpression holding(LockToken token) {
        ItemExpression expression = new ItemExpression();
        return expression.require(names.contains(token, expression));
    }

    /**
     * Sends an update.
     *
     * @param returned which attributes the answer has
     */
    CompletableFuture<Answer> update(ItemId item, ItemExpression expression, ReturnValue returned) {
        return Futures.of(() -> noted(() -> calls.update().apply(expression.update(item, returned)))
                .thenApply(response -> new Answer(response.attributes(), Answer.storeTime(response))));
    }

    /** Makes a call and notes the time that its answer tells. A failure without an answer tells nothing new. */
    private <R extends SdkResponse> CompletableFuture<R> noted(Supplier<CompletableFuture<R>> call) {
        ClockReading sent = ClockReading.of(time);
        return Futures.of(call).whenComplete((response, failure) -> {
            if (response != null) {
                storeClock.answered(Answer.storeTime(response), sent);
            } else if (failure instanceof AwsServiceException refusal) {
                storeClock.answered(Answer.storeTime(refusal), sent);
            }
        });
    }
}
