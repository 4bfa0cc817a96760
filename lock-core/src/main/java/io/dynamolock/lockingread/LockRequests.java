package io.dynamolock.lockingread;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

/** The requests of a lock's life. Each shows the item as it is if its condition fails. */
final class LockRequests {

    private final LockAttributes names;
    private final boolean lockAbsent;

    LockRequests(LockAttributes names, boolean lockAbsent) {
        this.names = names;
        this.lockAbsent = lockAbsent;
    }

    /** Locks the item if it is free, or held by a lock that may be taken over; answers with the item as it was. */
    ItemRequest lock(ItemId item, ItemLock lock, Rivals rivals) {
        ItemExpression expression = new ItemExpression();
        lock.attributes(names).forEach(expression::set);
        if (!lockAbsent) {
            expression.require(expression.present(item.partitionKey()));
        }
        // Also without a token, what stands there may be data of the user's.
        List<String> ways = new ArrayList<>(
                List.of(names.names().stream().map(expression::absent).collect(Collectors.joining(" AND "))));
        rivals.silent().ifPresent(silent -> ways.add(isUnchanged(expression, silent)));
        rivals.overBefore().ifPresent(end -> ways.add(isOver(expression, end)));
        rivals.givenUp().ifPresent(token -> ways.add(isToken(expression, token)));
        return expression.require("(" + String.join(" OR ", ways) + ")").update(item, ReturnValue.ALL_OLD);
    }

    private String isUnchanged(ItemExpression expression, ItemLock seen) {
        return String.join(
                " AND ",
                isToken(expression, seen.token()),
                expression.equal(names.until(), seen.untilValue()),
                expression.equal(names.lease(), seen.leaseValue()));
    }

    private String isOver(ItemExpression expression, Instant end) {
        return expression.present(names.token()) + " AND " + expression.less(names.until(), ItemLock.millis(end));
    }

    ItemRequest extend(ItemId item, ItemLock extended) {
        ItemExpression expression = new ItemExpression()
                .set(names.until(), extended.untilValue())
                .set(names.lease(), extended.leaseValue());
        return expression.require(isToken(expression, extended.token())).update(item, ReturnValue.NONE);
    }

    ItemRequest release(ItemId item, String token) {
        ItemExpression expression = new ItemExpression();
        removeLock(expression);
        return expression.require(isToken(expression, token)).update(item, ReturnValue.NONE);
    }

    /** Deletes an item in which nothing stands but the lock, as far as these attributes are concerned. */
    ItemRequest delete(ItemId item, String token, Collection<String> attributes) {
        ItemExpression expression = new ItemExpression();
        expression.require(isToken(expression, token));
        attributes.stream()
                .filter(name -> !item.key().containsKey(name) && !names.names().contains(name))
                .forEach(name -> expression.require(expression.absent(name)));
        return expression.delete(item);
    }

    /** Writes a change and unlocks, if the change meets the values that were read; answers with the new item. */
    ItemRequest write(ItemId item, String token, ItemChange change) {
        ItemExpression expression = new ItemExpression();
        removeLock(expression);
        expression.require(isToken(expression, token));
        change.addTo(expression);
        return expression.update(item, ReturnValue.ALL_NEW);
    }

    private void removeLock(ItemExpression expression) {
        names.names().forEach(expression::remove);
    }

    private String isToken(ItemExpression expression, String token) {
        return expression.equal(names.token(), AttributeValue.fromS(token));
    }
}
