package io.dynamolock.lockingread;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

/**
 * The calls of a lock's life. Each shows the item as it is if its condition fails.
 *
 * @param lockAbsent whether an item that is not there is locked, or refused
 */
record LockCalls(ItemCalls calls, LockAttributes names, boolean lockAbsent) {

    /**
     * Locks the item if it is free, or already locked by this lock because the call was sent before; answers with the
     * item as it was.
     *
     * @param rivals are not respected, either
     */
    CompletableFuture<Map<String, AttributeValue>> lock(ItemId item, ItemLock lock, Observations rivals) {
        ItemExpression expression = new ItemExpression();
        lock.attributes(names).forEach(expression::set);
        if (!lockAbsent) {
            expression.require(expression.present(item.partitionKey()));
        }
        List<String> ways = new ArrayList<>();
        // Also without a token, what stands there may be data of the user's.
        ways.add(names.all().stream().map(expression::absent).collect(Collectors.joining(" AND ")));
        ways.add(names.tokenEquals(lock.token(), expression));
        ways.addAll(rivals.conditions(item, names, expression));
        expression.require("(" + String.join(" OR ", ways) + ")");
        return calls.update().apply(expression.update(item, ReturnValue.ALL_OLD));
    }

    CompletableFuture<Map<String, AttributeValue>> extend(ItemId item, ItemLock extended) {
        ItemExpression expression = holding(extended.token());
        extended.attributes(names).forEach(expression::set);
        return calls.update().apply(expression.update(item, ReturnValue.NONE));
    }

    CompletableFuture<Map<String, AttributeValue>> release(ItemId item, String token) {
        return calls.update().apply(unlocking(token).update(item, ReturnValue.NONE));
    }

    /** Deletes an item in which nothing stands but the lock, as far as these attributes are concerned. */
    CompletableFuture<Map<String, AttributeValue>> delete(ItemId item, String token, Collection<String> attributes) {
        ItemExpression expression = holding(token);
        attributes.stream()
                .filter(name -> !item.key().containsKey(name) && !names.all().contains(name))
                .forEach(name -> expression.require(expression.absent(name)));
        return calls.delete().apply(expression.delete(item));
    }

    /** Writes a change that was added to {@link #unlocking}; answers with the new item. */
    CompletableFuture<Map<String, AttributeValue>> write(ItemId item, ItemExpression change) {
        return calls.update().apply(change.update(item, ReturnValue.ALL_NEW));
    }

    ItemExpression unlocking(String token) {
        ItemExpression expression = holding(token);
        names.all().forEach(expression::remove);
        return expression;
    }

    private ItemExpression holding(String token) {
        ItemExpression expression = new ItemExpression();
        return expression.require(names.tokenEquals(token, expression));
    }
}
