package io.dynamolock.internal.store.dynamodb;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.Found;
import io.dynamolock.internal.store.LockPage;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.text.LockNames;
import io.dynamolock.internal.text.SafeFailure;
import io.dynamolock.internal.time.HttpDate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The lock store on a DynamoDB table; {@code docs/how-it-works.md} describes the items. The client belongs to the
 * caller, who closes it after the last use of this store. Thread-safe.
 */
public final class DynamoStore implements LockStore {

    /** Maximum number of threads for a client that does not block: they only build and sign requests. */
    public static final int SENDERS = 4;

    /**
     * Maximum number of threads for each kind of call about the process's own session. More than one, so that the next
     * heartbeat does not wait behind one that hangs; few, because a credentials provider that hangs keeps the thread of
     * every call that asks it, beyond the call's timeout.
     */
    static final int SESSION_THREADS = 4;

    /** Sessions do not have this attribute, and a user's own items seldom have it. */
    private static final String MAY_BE_A_LOCK = "attribute_exists(tail)";

    private static final Logger log = LoggerFactory.getLogger(DynamoStore.class);

    private final DynamoDbAsyncClient client;
    private final DynamoTableSettings settings;
    private final ItemKeys keys;
    private final FormatGate gate;
    private final DynamoFailures failures;
    /** All calls but those about the process's own session. */
    private final DynamoCalls calls;
    /** Heartbeats of the process's own session. They must never wait behind any other calls. */
    private final DynamoCalls heartbeats;

    /** Calls that begin a session. They have a longer timeout. */
    private final DynamoCalls beginnings;

    /** Calls that end a session of this process. */
    private final DynamoCalls endings;

    /** Whether a warning about unreadable items in a list was logged: that happens once. */
    private final AtomicBoolean hasWarned = new AtomicBoolean();

    /**
     * @param maxThreads maximum number of threads that build requests about locks, send them and, if the client blocks,
     *     wait for the answers
     * @param threads the executor of these threads
     */
    public DynamoStore(DynamoDbAsyncClient client, DynamoTableSettings settings, int maxThreads, Executor threads) {
        this.client = client;
        this.settings = settings;
        this.keys = new ItemKeys(settings);
        this.gate = new FormatGate(settings.formatAttribute());
        this.failures = new DynamoFailures(settings.tableName(), client);
        SentOnce inTime = new SentOnce(client, settings.callTimeout());
        SentOnce inTimeToBegin = new SentOnce(client, LockStore.timeToBegin(settings.callTimeout()));
        Executor ofSession = CallThreads.pool();
        this.calls = new DynamoCalls(failures, inTime, new Bounded(maxThreads, threads), null);
        this.heartbeats = new DynamoCalls(failures, inTime, new Bounded(SESSION_THREADS, ofSession), null);
        this.beginnings = new DynamoCalls(failures, inTimeToBegin, new Bounded(SESSION_THREADS, ofSession), null);
        this.endings = new DynamoCalls(failures, inTime, new Bounded(SESSION_THREADS, ofSession), null);
    }

    @Override
    public CompletionStage<Answer<LockItem>> edit(LockKey key, Edit edit, @Nullable Instant now) {
        return calls.of(key)
                .call(
                        DynamoOperation.UPDATE_ITEM,
                        () -> request(key, edit, now),
                        client::updateItem,
                        response -> new Answer<>(lock(response.attributes()), true, storeTime(response)),
                        refusal -> new Answer<>(lock(refusal.item()), false, storeTime(refusal)));
    }

    private UpdateItemRequest request(LockKey key, Edit edit, @Nullable Instant now) {
        EditExpression expression = new EditExpression(edit, settings, now);
        return update(keys.lock(key), calls)
                .conditionExpression(expression.condition())
                .updateExpression(expression.update())
                .expressionAttributeNames(expression.names())
                .expressionAttributeValues(expression.values())
                .build();
    }

    private LockItem lock(Map<String, AttributeValue> item) {
        return LockItemCodec.read(item, settings.dataAttribute(), settings.ttlAttribute(), gate);
    }

    private Optional<SessionItem> session(SessionId id, Map<String, AttributeValue> item) {
        return SessionItemCodec.read(id, item, gate);
    }

    @Override
    public CompletionStage<Found<LockItem>> read(LockKey key, boolean consistent) {
        return calls.of(key)
                .call(
                        DynamoOperation.GET_ITEM,
                        () -> get(keys.lock(key), consistent),
                        client::getItem,
                        response -> new Found<>(lock(response.item()), storeTime(response)));
    }

    private static @Nullable Instant storeTime(SdkResponse response) {
        return storeTime(response.sdkHttpResponse());
    }

    private static @Nullable Instant storeTime(AwsServiceException refusal) {
        AwsErrorDetails details = refusal.awsErrorDetails();
        return storeTime(details == null ? null : details.sdkHttpResponse());
    }

    /**
     * The time in the answer's {@code Date} header, to the second; {@code null} if there is none or it is unreadable.
     */
    private static @Nullable Instant storeTime(@Nullable SdkHttpResponse response) {
        return response == null
                ? null
                : HttpDate.read(response.firstMatchingHeader("Date").orElse(null));
    }

    @Override
    public CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after) {
        return key == null
                ? calls.call(
                        DynamoOperation.SCAN,
                        () -> scan(after),
                        client::scan,
                        response -> page(response.items(), response.lastEvaluatedKey()))
                : calls.call(
                        DynamoOperation.QUERY,
                        () -> query(key, after),
                        client::query,
                        response -> page(response.items(), response.lastEvaluatedKey()));
    }

    private QueryRequest query(String key, LockPage.@Nullable Mark after) {
        return QueryRequest.builder()
                .tableName(settings.tableName())
                .keyConditionExpression("#pk = :key")
                .filterExpression(MAY_BE_A_LOCK)
                .expressionAttributeNames(Map.of("#pk", settings.partitionKeyAttribute()))
                .expressionAttributeValues(Map.of(":key", AttributeValue.fromS(keys.partition(key))))
                .exclusiveStartKey(after == null ? null : keys.at(after.partitionKey(), after.sortKey()))
                .overrideConfiguration(calls.sentOnce().configuration())
                .build();
    }

    private ScanRequest scan(LockPage.@Nullable Mark after) {
        ScanRequest.Builder scan = ScanRequest.builder()
                .tableName(settings.tableName())
                .filterExpression(MAY_BE_A_LOCK)
                .exclusiveStartKey(after == null ? null : keys.at(after.partitionKey(), after.sortKey()))
                .overrideConfiguration(calls.sentOnce().configuration());
        if (!settings.keyPrefix().isEmpty()) {
            scan.filterExpression(MAY_BE_A_LOCK + " AND begins_with(#pk, :prefix)")
                    .expressionAttributeNames(Map.of("#pk", settings.partitionKeyAttribute()))
                    .expressionAttributeValues(Map.of(":prefix", AttributeValue.fromS(settings.keyPrefix())));
        }
        return scan.build();
    }

    /**
     * The locks among these items. An unreadable item is left out, so that it does not hide the other locks. Reading
     * its lock alone tells what is wrong.
     */
    private LockPage page(List<Map<String, AttributeValue>> items, Map<String, AttributeValue> lastEvaluated) {
        Map<LockKey, LockItem> locks = new LinkedHashMap<>();
        int leftOut = 0;
        for (Map<String, AttributeValue> item : items) {
            LockKey key = keys.lockAt(partitionKey(item), sortKey(item));
            if (key != null) {
                try {
                    locks.put(key, lock(item));
                } catch (UnreadableItemException unreadable) {
                    leftOut++;
                    log.debug(
                            "The lock {} is left out of a list",
                            LockNames.key(key.key(), key.namespace()),
                            SafeFailure.of(unreadable));
                }
            }
        }
        if (leftOut > 0 && hasWarned.compareAndSet(false, true)) {
            log.warn(
                    "{} locks are left out of a list: their items cannot be read. This is said once;"
                            + " DEBUG names them each time",
                    leftOut);
        }
        LockPage.Mark last =
                lastEvaluated.isEmpty() ? null : new LockPage.Mark(partitionKey(lastEvaluated), sortKey(lastEvaluated));
        return new LockPage(locks, last);
    }

    /**
     * The condition that this entry is in the queue of the lock, in a format that this version knows, for a transaction
     * of the user's.
     */
    public ConditionCheck fence(LockKey key, Entry entry) {
        return ConditionCheck.builder()
                .tableName(settings.tableName())
                .key(keys.lock(key))
                .conditionExpression(FormatGate.CONDITION + " AND contains(queue, :entry)")
                .expressionAttributeNames(formatName())
                .expressionAttributeValues(Map.of(":entry", AttributeValue.fromS(entry.text())))
                .build();
    }

    private Map<String, String> formatName() {
        return Map.of(FormatGate.NAME, gate.attribute());
    }

    @Override
    public CompletionStage<Answer<Optional<SessionItem>>> edit(SessionId id, SessionEdit edit, @Nullable Instant now) {
        if (edit instanceof SessionEdit.Begin begin) {
            return update(beginnings, id, () -> begin(id, begin, now));
        }
        if (edit instanceof SessionEdit.Heartbeat heartbeat) {
            return update(heartbeats, id, () -> heartbeat(id, heartbeat, now));
        }
        if (edit instanceof SessionEdit.Notify notify) {
            return update(calls, id, () -> notify(id, notify));
        }
        DynamoCalls deletions = edit instanceof SessionEdit.End ? endings : calls;
        return deletions.call(
                DynamoOperation.DELETE_ITEM,
                () -> delete(id, edit),
                client::deleteItem,
                deleted -> new Answer<>(Optional.empty(), true, storeTime(deleted)),
                refusal -> new Answer<>(session(id, refusal.item()), false, storeTime(refusal)));
    }

    private DeleteItemRequest delete(SessionId id, SessionEdit edit) {
        DeleteItemRequest.Builder delete = DeleteItemRequest.builder()
                .tableName(settings.tableName())
                .key(keys.session(id))
                .overrideConfiguration(calls.sentOnce().configuration());
        if (edit instanceof SessionEdit.Expire expire) {
            delete.conditionExpression(
                            FormatGate.CONDITION + " AND (attribute_not_exists(heartbeat) OR heartbeat = :heartbeat)")
                    .expressionAttributeNames(formatName())
                    .expressionAttributeValues(Map.of(":heartbeat", AttributeValues.number(expire.heartbeat())))
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
        }
        return delete.build();
    }

    private UpdateItemRequest begin(SessionId id, SessionEdit.Begin begin, @Nullable Instant now) {
        Map<String, AttributeValue> values =
                SessionItemCodec.values(begin.after(Optional.empty()).orElseThrow());
        Map<String, String> names = new HashMap<>(Map.of("#owner", "owner", FormatGate.NAME, gate.attribute()));
        String update = "SET heartbeat = :heartbeat, lease = :lease, #owner = :owner";
        if (begin.at() != null) {
            update += ", heartbeatAt = :heartbeatAt";
        }
        if (now != null) {
            update += ", #ttl = :ttl";
            names.put("#ttl", settings.ttlAttribute());
            values.put(":ttl", AttributeValues.expiry(now.plus(settings.retention())));
        }
        return update(keys.session(id), beginnings)
                .updateExpression(update)
                .conditionExpression(FormatGate.CONDITION + " AND attribute_not_exists(heartbeat)")
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .build();
    }

    private UpdateItemRequest heartbeat(SessionId id, SessionEdit.Heartbeat heartbeat, @Nullable Instant now) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":heartbeat", AttributeValues.number(heartbeat.number()));
        String update = "SET heartbeat = :heartbeat";
        List<String> unknown = new ArrayList<>();
        if (heartbeat.at() == null) {
            unknown.add("heartbeatAt");
        } else {
            update += ", heartbeatAt = :at";
            values.put(":at", AttributeValues.string(heartbeat.at()));
        }
        if (now == null) {
            unknown.add("#ttl");
        } else {
            update += ", #ttl = :ttl";
            values.put(":ttl", AttributeValues.expiry(now.plus(settings.retention())));
        }
        if (!unknown.isEmpty()) {
            update += " REMOVE " + String.join(", ", unknown);
        }
        if (!heartbeat.heard().isEmpty()) {
            values.put(":heard", SessionItemCodec.notices(heartbeat.heard()));
            update += " DELETE notices :heard";
        }
        return update(keys.session(id), calls)
                .updateExpression(update)
                .conditionExpression("heartbeat < :heartbeat")
                .expressionAttributeNames(Map.of("#ttl", settings.ttlAttribute()))
                .expressionAttributeValues(values)
                .build();
    }

    private UpdateItemRequest notify(SessionId id, SessionEdit.Notify notify) {
        return update(keys.session(id), calls)
                .updateExpression("ADD notices :notices")
                .conditionExpression(FormatGate.CONDITION + " AND attribute_exists(heartbeat) AND"
                        + " (attribute_not_exists(notices) OR size(notices) < :most OR contains(notices, :notice))")
                .expressionAttributeNames(formatName())
                .expressionAttributeValues(Map.of(
                        ":notices",
                                SessionItemCodec.notices(Set.of(notify.notice().text())),
                        ":notice", AttributeValue.fromS(notify.notice().text()),
                        ":most", AttributeValues.number(SessionItem.MOST_NOTICES)))
                .build();
    }

    private UpdateItemRequest.Builder update(Map<String, AttributeValue> key, DynamoCalls sender) {
        return UpdateItemRequest.builder()
                .tableName(settings.tableName())
                .key(key)
                .returnValues(ReturnValue.ALL_NEW)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .overrideConfiguration(sender.sentOnce().configuration());
    }

    private GetItemRequest get(Map<String, AttributeValue> key, boolean consistent) {
        return GetItemRequest.builder()
                .tableName(settings.tableName())
                .key(key)
                .consistentRead(consistent)
                .overrideConfiguration(calls.sentOnce().configuration())
                .build();
    }

    private CompletionStage<Answer<Optional<SessionItem>>> update(
            DynamoCalls sender, SessionId id, Supplier<UpdateItemRequest> request) {
        return sender.call(
                DynamoOperation.UPDATE_ITEM,
                request,
                client::updateItem,
                response -> new Answer<>(session(id, response.attributes()), true, storeTime(response)),
                refusal -> new Answer<>(session(id, refusal.item()), false, storeTime(refusal)));
    }

    @Override
    public CompletionStage<Found<Map<SessionId, Optional<SessionItem>>>> sessions(Set<SessionId> ids) {
        Set<SessionId> wanted = Set.copyOf(ids);
        if (wanted.size() == 1) {
            SessionId id = wanted.iterator().next();
            return calls.call(
                    DynamoOperation.GET_ITEM,
                    () -> get(keys.session(id), true),
                    client::getItem,
                    response -> new Found<>(Map.of(id, session(id, response.item())), storeTime(response)));
        }
        return calls.call(
                DynamoOperation.BATCH_GET_ITEM,
                () -> get(wanted),
                client::batchGetItem,
                response -> new Found<>(found(wanted, response), storeTime(response)));
    }

    private BatchGetItemRequest get(Set<SessionId> ids) {
        KeysAndAttributes wanted = KeysAndAttributes.builder()
                .keys(ids.stream().map(keys::session).toList())
                .consistentRead(true)
                .build();
        return BatchGetItemRequest.builder()
                .requestItems(Map.of(settings.tableName(), wanted))
                .overrideConfiguration(calls.sentOnce().configuration())
                .build();
    }

    /**
     * The sessions that a batch read, empty for those without an item. There is no value for a session that DynamoDB
     * left out of the batch, for lack of throughput or because the batch became too large: that must not look like a
     * dead session. There is none for an unreadable item either, so that it does not hide the other sessions.
     */
    private Map<SessionId, Optional<SessionItem>> found(Set<SessionId> wanted, BatchGetItemResponse response) {
        Map<String, Map<String, AttributeValue>> read = response.responses().values().stream()
                .flatMap(List::stream)
                .collect(Collectors.toMap(this::partitionKey, item -> item));
        Set<String> unread = response.unprocessedKeys().values().stream()
                .flatMap(ofTable -> ofTable.keys().stream())
                .map(this::partitionKey)
                .collect(Collectors.toSet());
        if (unread.size() == wanted.size()) {
            throw failures.leftUnread();
        }
        Map<SessionId, Optional<SessionItem>> found = new HashMap<>();
        for (SessionId id : wanted) {
            String key = keys.partition(id);
            if (!unread.contains(key)) {
                try {
                    found.put(id, session(id, read.getOrDefault(key, Map.of())));
                } catch (UnreadableItemException unreadable) {
                    // Left out; reading the session alone tells what is wrong.
                }
            }
        }
        return found;
    }

    private String partitionKey(Map<String, AttributeValue> item) {
        return Objects.requireNonNull(item.get(settings.partitionKeyAttribute()))
                .s();
    }

    private String sortKey(Map<String, AttributeValue> item) {
        return Objects.requireNonNull(item.get(settings.sortKeyAttribute())).s();
    }
}
