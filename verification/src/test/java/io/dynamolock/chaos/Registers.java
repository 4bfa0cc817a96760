package io.dynamolock.chaos;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.testing.ItemTables;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * The data that the locks protect. Each key has one register that is written without a fence, and one that is written
 * in a transaction with a condition on the lock. The database itself counts the writes that land.
 */
record Registers(DynamoDbAsyncClient client) {

    static final String PLAIN = "plain#";
    static final String FENCED = "fenced#";

    static final String LOCKS = "locks";
    private static final String TABLE = "registers";

    /** The outcome of a write, as far as its writer knows. */
    enum Outcome {
        LANDED,
        /** The write has not landed and never will. */
        REFUSED,
        /** The write may have landed, or may land later. */
        UNKNOWN
    }

    record Written(Outcome outcome, String why) {

        static final Written LANDED = new Written(Outcome.LANDED, "-");
    }

    /** A register's value, and how many writes have landed in it. */
    record State(String value, long landed, long fence) {}

    /**
     * The holder of a lock in the table.
     *
     * @param entry an entry that holds the lock
     * @param owner the owner of the entry's session, if the session is there
     * @param lastTicket the last ticket of the entry
     */
    record HolderInTable(String entry, String owner, long lastTicket) {

        static final HolderInTable NOBODY = new HolderInTable("-", "-", 0);
    }

    void create(List<String> keys) {
        client.createTable(ItemTables.byId(TABLE)).join();
        for (String key : keys) {
            for (String register : List.of(PLAIN + key, FENCED + key)) {
                client.putItem(put -> put.tableName(TABLE)
                                .item(Map.of(
                                        "id", string(register),
                                        "current", string(initial(register)),
                                        "landed", number(0),
                                        "fence", number(0))))
                        .join();
            }
        }
    }

    static String initial(String register) {
        return "initial-" + register;
    }

    State read(String register) {
        Map<String, AttributeValue> item = item(TABLE, id(register));
        return new State(text(item, "current"), count(item, "landed"), count(item, "fence"));
    }

    /**
     * The holder of the lock. If several entries hold it, the first entry of this process that has this ticket, or the
     * first of all entries if there is none.
     */
    HolderInTable holder(String key, String process, long ticket) {
        Map<String, AttributeValue> item = item(LOCKS, lock(key));
        List<Entry> queue = queue(item);
        HolderInTable holder = HolderInTable.NOBODY;
        for (int place = holders(key, queue) - 1; place >= 0; place--) {
            Entry entry = queue.get(place);
            long last = new LockItem(count(item, "tail"), queue, 0, LockData.EMPTY).lastTicket(place);
            HolderInTable next = new HolderInTable(entry.text(), owner(entry.session()), last);
            boolean isMeant = next.owner().equals(process) && last >= ticket;
            boolean wasMeant = holder.owner().equals(process) && holder.lastTicket() >= ticket;
            if (isMeant || !wasMeant) {
                holder = next;
            }
        }
        return holder;
    }

    /**
     * How many entries at the front of the queue hold the lock. Does not use the protocol's rules, which it is to
     * check.
     */
    private static int holders(String key, List<Entry> queue) {
        if (queue.isEmpty()) {
            return 0;
        }
        Entry first = queue.get(0);
        return (int) queue.stream()
                .takeWhile(entry -> entry.mode() == first.mode())
                .takeWhile(entry -> first.mode() != Mode.EXCLUSIVE || Objects.equals(entry.session(), first.session()))
                .limit(first.mode() == Mode.EXCLUSIVE ? Integer.MAX_VALUE : Keys.mostTogether(key))
                .count();
    }

    /** May be read later than the entry, since the owner of a session never changes. */
    private String owner(@Nullable SessionId session) {
        Map<String, AttributeValue> item =
                item(LOCKS, Map.of("pk", string("session#" + session), "sk", string("session")));
        return item.containsKey("owner") ? text(item, "owner") : "-";
    }

    private Map<String, AttributeValue> item(String from, Map<String, AttributeValue> key) {
        return client.getItem(get -> get.tableName(from).key(key).consistentRead(true))
                .join()
                .item();
    }

    static List<Entry> queue(Map<String, AttributeValue> lock) {
        return lock.containsKey("queue")
                ? lock.get("queue").l().stream()
                        .map(entry -> Entry.parse(entry.s()))
                        .toList()
                : List.of();
    }

    /** Overwrites the value without a condition. */
    Written write(String key, String value) {
        try {
            client.updateItem(update -> update.tableName(TABLE)
                            .key(id(PLAIN + key))
                            .updateExpression("SET #current = :value ADD landed :one")
                            .expressionAttributeNames(Map.of("#current", "current"))
                            .expressionAttributeValues(Map.of(":value", string(value), ":one", number(1))))
                    .join();
            return Written.LANDED;
        } catch (CompletionException e) {
            return unanswered(e);
        }
    }

    /**
     * A condition that this entry is still in the queue, and that the number has been given out: a fence as users could
     * make it.
     */
    ConditionCheck fence(String key, String entry, long token) {
        return ConditionCheck.builder()
                .tableName(LOCKS)
                .key(lock(key))
                .conditionExpression("contains(queue, :entry) AND tail >= :token")
                .expressionAttributeValues(Map.of(":entry", string(entry), ":token", number(token)))
                .build();
    }

    /**
     * Writes with the fence as a condition, and only if no grant with this number or a greater one has written. The
     * fence cannot tell callers of one entry apart, but their numbers can.
     *
     * @param fence null for a caller without a lock
     */
    Written writeFenced(String key, String value, @Nullable ConditionCheck fence, long token) {
        TransactWriteItem update = fencedUpdate(key, value, token);
        return fence == null
                ? transact(update)
                : transact(TransactWriteItem.builder().conditionCheck(fence).build(), update);
    }

    private TransactWriteItem fencedUpdate(String key, String value, long token) {
        return TransactWriteItem.builder()
                .update(update -> update.tableName(TABLE)
                        .key(id(FENCED + key))
                        .updateExpression("SET #current = :value, fence = :token ADD landed :one")
                        .conditionExpression("fence < :token")
                        .expressionAttributeNames(Map.of("#current", "current"))
                        .expressionAttributeValues(
                                Map.of(":value", string(value), ":token", number(token), ":one", number(1))))
                .build();
    }

    private Written transact(TransactWriteItem... items) {
        try {
            client.transactWriteItems(write -> write.transactItems(items)).join();
            return Written.LANDED;
        } catch (CompletionException e) {
            if (e.getCause() instanceof TransactionCanceledException cancelled) {
                List<String> reasons = cancelled.cancellationReasons().stream()
                        .map(CancellationReason::code)
                        .toList();
                return new Written(Outcome.REFUSED, String.join(",", reasons));
            }
            return unanswered(e);
        }
    }

    /**
     * Finds out whether a fenced write without an answer has landed, and keeps it from landing later: it is refused
     * once the register has its number as the fence.
     */
    Written settleFenced(String key, String value, long token) {
        try {
            client.updateItem(update -> update.tableName(TABLE)
                            .key(id(FENCED + key))
                            .updateExpression("SET fence = :token")
                            .conditionExpression("fence < :token")
                            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                            .expressionAttributeValues(Map.of(":token", number(token))))
                    .join();
            return new Written(Outcome.REFUSED, "settled");
        } catch (CompletionException e) {
            if (e.getCause() instanceof ConditionalCheckFailedException refusal) {
                if (text(refusal.item(), "current").equals(value)) {
                    return new Written(Outcome.LANDED, "settled");
                }
                return count(refusal.item(), "fence") == token
                        ? new Written(Outcome.REFUSED, "settled")
                        : new Written(Outcome.UNKNOWN, "overtaken");
            }
            return unanswered(e);
        }
    }

    private static Written unanswered(CompletionException e) {
        Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
        // The database has refused the request as wrong, and so has not carried it out.
        boolean rejected = cause instanceof DynamoDbException answer && answer.statusCode() < 500;
        return new Written(
                rejected ? Outcome.REFUSED : Outcome.UNKNOWN, cause.getClass().getSimpleName());
    }

    private static Map<String, AttributeValue> id(String register) {
        return Map.of("id", string(register));
    }

    private static Map<String, AttributeValue> lock(String key) {
        return Map.of("pk", string(key), "sk", string("default/"));
    }

    private static String text(Map<String, AttributeValue> item, String attribute) {
        return Objects.requireNonNull(item.get(attribute), attribute).s();
    }

    private static long count(Map<String, AttributeValue> item, String attribute) {
        return Long.parseLong(
                Objects.requireNonNull(item.get(attribute), attribute).n());
    }

    private static AttributeValue string(String value) {
        return AttributeValue.fromS(value);
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }
}
