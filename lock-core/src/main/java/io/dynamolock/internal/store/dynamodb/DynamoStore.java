package io.dynamolock.store.dynamodb;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.LockPage;
import io.dynamolock.internal.store.LockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** The lock store on a DynamoDB table. The client stays the caller's, who closes it after the last use of this store. */
public final class DynamoStore implements LockStore {

    /** Building and signing a request is most of the work of a lock, and keeps a processor busy. */
    private static final int SENDERS = 4;

    /** For the edits of the process's own session, which are few and must never wait behind locks. */
    private static final int SENDERS_OF_HEARTBEATS = 2;

    private final DynamoDbAsyncClient client;
    private final DynamoTableSettings settings;
    private final ItemKeys keys;
    private final SentOnce sentOnce;
    private final SentOnce beginning;
    private final DynamoFailures failures;
    private final DynamoCalls calls;
    private final DynamoCalls beginnings;
    private final Executor threads;
    private final Executor heartbeats = new Bounded(SENDERS_OF_HEARTBEATS, CallThreads.pool());
    private volatile @Nullable Instant lastAnsweredAt;

    /**
     * On a client that does not block.
     *
     * @param threads where calls about locks are built and sent; this store uses few of them at once
     */
    public DynamoStore(DynamoDbAsyncClient client, DynamoTableSettings settings, Executor threads) {
        this(settings, client, new Bounded(SENDERS, threads));
    }

    /**
     * On a client that blocks. It takes less of the processor for each call.
     *
     * @param maxThreads so many threads may be blocked by calls about locks
     * @param threads where those calls are made
     */
    public DynamoStore(DynamoDbClient client, DynamoTableSettings settings, int maxThreads, Executor threads) {
        this(settings, new BlockingClient(client), new Bounded(maxThreads, threads));
    }

    private DynamoStore(DynamoTableSettings settings, DynamoDbAsyncClient client, Executor threads) {
        this.client = client;
        this.settings = settings;
        this.threads = threads;
        this.keys = new ItemKeys(settings);
        Duration timeToBegin = LockStore.timeToBegin(settings.callTimeout());
        this.sentOnce = new SentOnce(client, settings.callTimeout());
        this.beginning = new SentOnce(client, timeToBegin);
        this.failures = new DynamoFailures(settings.tableName(), client);
        this.calls = new DynamoCalls(failures, settings.callTimeout());
        this.beginnings = new DynamoCalls(failures, timeToBegin);
    }

    @Override
    public CompletionStage<Answer<LockItem>> edit(LockKey key, Edit edit, Instant now) {
        return calls.of(key)
                .<UpdateItemResponse, Answer<LockItem>>call(
                        threads,
                        DynamoOperation.UPDATE_ITEM,
                        () -> client.updateItem(
                                failures.built(DynamoOperation.UPDATE_ITEM, () -> request(key, edit, now))),
                        response -> new Answer.Applied<>(lock(response.attributes())),
                        refusal -> new Answer.Refused<>(lock(refusal.item())));
    }

    private UpdateItemRequest request(LockKey key, Edit edit, Instant now) {
        EditExpression expression = new EditExpression(edit, settings.dataAttribute());
        expression.values().put(":ttl", AttributeValues.expiry(now, settings));
        expression.names().put("#ttl", settings.ttlAttribute());
        return update(keys.lock(key), sentOnce)
                .conditionExpression(expression.condition())
                .updateExpression(expression.update("#ttl = :ttl"))
                .expressionAttributeNames(expression.names())
                .expressionAttributeValues(expression.values())
                .build();
    }

    private LockItem lock(Map<String, AttributeValue> item) {
        return LockItemCodec.read(item, settings.dataAttribute());
    }

    @Override
    public CompletionStage<LockItem> read(LockKey key, boolean consistent) {
        GetItemRequest request = get(keys.lock(key), consistent);
        return calls.of(key)
                .<GetItemResponse, LockItem>call(
                        threads, DynamoOperation.GET_ITEM, () -> client.getItem(request), response -> {
                            if (consistent) {
                                hearClock(ServiceClock.answeredAt(response.sdkHttpResponse()));
                            }
                            return lock(response.item());
                        });
    }

    /** An answer that is heard late must not set the clock back. */
    private void hearClock(@Nullable Instant at) {
        Instant last = lastAnsweredAt;
        if (at != null && (last == null || at.isAfter(last))) {
            lastAnsweredAt = at;
        }
    }

    @Override
    public Optional<Instant> lastAnsweredAt() {
        return Optional.ofNullable(lastAnsweredAt);
    }

    @Override
    public CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after) {
        throw new UnsupportedOperationException("not yet");
    }

    /** That this entry stands in the queue, as a condition for a transaction. */
    public ConditionCheck fence(LockKey key, Entry entry) {
        return ConditionCheck.builder()
                .tableName(settings.tableName())
                .key(keys.lock(key))
                .conditionExpression("contains(queue, :entry)")
                .expressionAttributeValues(Map.of(":entry", AttributeValue.fromS(entry.text())))
                .build();
    }

    @Override
    public CompletionStage<Answer<Optional<SessionItem>>> edit(SessionId id, SessionEdit edit, Instant now) {
        if (edit instanceof SessionEdit.Begin begin) {
            return update(beginnings, id, heartbeats, () -> begin(id, begin, now), true);
        }
        if (edit instanceof SessionEdit.Heartbeat beat) {
            return update(calls, id, heartbeats, () -> heartbeat(id, beat, now), false);
        }
        if (edit instanceof SessionEdit.Notify notify) {
            return update(calls, id, threads, () -> notify(id, notify), false);
        }
        DeleteItemRequest.Builder delete = DeleteItemRequest.builder()
                .tableName(settings.tableName())
                .key(keys.session(id))
                .overrideConfiguration(sentOnce.configuration());
        if (edit instanceof SessionEdit.Expire expire) {
            delete.conditionExpression("attribute_not_exists(heartbeat) OR heartbeat = :heartbeat")
                    .expressionAttributeValues(Map.of(":heartbeat", AttributeValues.number(expire.heartbeat())))
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
        }
        return calls.<DeleteItemResponse, Answer<Optional<SessionItem>>>call(
                edit instanceof SessionEdit.End ? heartbeats : threads,
                DynamoOperation.DELETE_ITEM,
                () -> client.deleteItem(delete.build()),
                deleted -> new Answer.Applied<>(Optional.empty()),
                refusal -> new Answer.Refused<>(SessionItemCodec.read(id, refusal.item())));
    }

    private UpdateItemRequest begin(SessionId id, SessionEdit.Begin begin, Instant now) {
        SessionItem session = begin.after(Optional.empty()).orElseThrow();
        Map<String, AttributeValue> attributes = new HashMap<>(SessionItemCodec.write(session));
        attributes.put(settings.ttlAttribute(), AttributeValues.expiry(now, settings));
        Map<String, String> names = new HashMap<>();
        Map<String, AttributeValue> values = new HashMap<>();
        List<String> sets = new ArrayList<>();
        attributes.forEach((name, value) -> {
            int next = names.size();
            names.put("#" + next, name);
            values.put(":" + next, value);
            sets.add("#" + next + " = :" + next);
        });
        return update(keys.session(id), beginning)
                .updateExpression("SET " + String.join(", ", sets))
                .conditionExpression("attribute_not_exists(heartbeat)")
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .build();
    }

    private UpdateItemRequest heartbeat(SessionId id, SessionEdit.Heartbeat beat, Instant now) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":heartbeat", AttributeValues.number(beat.number()));
        values.put(":at", AttributeValues.string(beat.at()));
        values.put(":ttl", AttributeValues.expiry(now, settings));
        String update = "SET heartbeat = :heartbeat, heartbeatAt = :at, #ttl = :ttl";
        if (!beat.heard().isEmpty()) {
            values.put(":heard", SessionItemCodec.notices(beat.heard()));
            update += " DELETE notices :heard";
        }
        return update(keys.session(id), sentOnce)
                .updateExpression(update)
                .conditionExpression("heartbeat < :heartbeat")
                .expressionAttributeNames(Map.of("#ttl", settings.ttlAttribute()))
                .expressionAttributeValues(values)
                .build();
    }

    private UpdateItemRequest notify(SessionId id, SessionEdit.Notify notify) {
        return update(keys.session(id), sentOnce)
                .updateExpression("ADD notices :notices")
                .conditionExpression("attribute_exists(heartbeat) AND (attribute_not_exists(notices)"
                        + " OR size(notices) < :most OR contains(notices, :notice))")
                .expressionAttributeValues(Map.of(
                        ":notices",
                                SessionItemCodec.notices(Set.of(notify.notice().text())),
                        ":notice", AttributeValue.fromS(notify.notice().text()),
                        ":most", AttributeValues.number(SessionItem.MOST_NOTICES)))
                .build();
    }

    private UpdateItemRequest.Builder update(Map<String, AttributeValue> key, SentOnce sent) {
        return UpdateItemRequest.builder()
                .tableName(settings.tableName())
                .key(key)
                .returnValues(ReturnValue.ALL_NEW)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .overrideConfiguration(sent.configuration());
    }

    private GetItemRequest get(Map<String, AttributeValue> key, boolean consistent) {
        return GetItemRequest.builder()
                .tableName(settings.tableName())
                .key(key)
                .consistentRead(consistent)
                .overrideConfiguration(sentOnce.configuration())
                .build();
    }

    private CompletionStage<Answer<Optional<SessionItem>>> update(
            DynamoCalls inTime,
            SessionId id,
            Executor senders,
            Supplier<UpdateItemRequest> request,
            boolean asksForTheTime) {
        return inTime.<UpdateItemResponse, Answer<Optional<SessionItem>>>call(
                senders,
                DynamoOperation.UPDATE_ITEM,
                () -> client.updateItem(failures.built(DynamoOperation.UPDATE_ITEM, request)),
                response -> {
                    if (asksForTheTime) {
                        lastAnsweredAt = ServiceClock.answeredAt(response.sdkHttpResponse());
                    }
                    return new Answer.Applied<>(SessionItemCodec.read(id, response.attributes()));
                },
                refusal -> new Answer.Refused<>(SessionItemCodec.read(id, refusal.item())));
    }

    @Override
    public CompletionStage<Map<SessionId, Optional<SessionItem>>> sessions(Set<SessionId> ids) {
        if (ids.size() > MOST_SESSIONS) {
            throw new IllegalArgumentException("more than " + MOST_SESSIONS + " sessions: " + ids.size());
        }
        if (ids.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        if (ids.size() == 1) {
            SessionId id = ids.iterator().next();
            return calls.<GetItemResponse, Map<SessionId, Optional<SessionItem>>>call(
                    threads,
                    DynamoOperation.GET_ITEM,
                    () -> client.getItem(get(keys.session(id), true)),
                    response -> Map.of(id, SessionItemCodec.read(id, response.item())));
        }
        KeysAndAttributes wanted = KeysAndAttributes.builder()
                .keys(ids.stream().map(keys::session).toList())
                .consistentRead(true)
                .build();
        BatchGetItemRequest request = BatchGetItemRequest.builder()
                .requestItems(Map.of(settings.tableName(), wanted))
                .overrideConfiguration(sentOnce.configuration())
                .build();
        return calls.<BatchGetItemResponse, Map<SessionId, Optional<SessionItem>>>call(
                threads,
                DynamoOperation.BATCH_GET_ITEM,
                () -> client.batchGetItem(request),
                response -> found(ids, response));
    }

    /**
     * A session that DynamoDB had no capacity to read, or that is too large to be read along with others, must not look like one that is
     * gone, and keeps nobody from seeing the others. Nor does one that is not as it should be.
     */
    private Map<SessionId, Optional<SessionItem>> found(Set<SessionId> wanted, BatchGetItemResponse response) {
        Map<AttributeValue, Map<String, AttributeValue>> read = response.responses().values().stream()
                .flatMap(List::stream)
                .collect(Collectors.toMap(this::partition, item -> item));
        Set<AttributeValue> unread = response.unprocessedKeys().values().stream()
                .flatMap(ofTable -> ofTable.keys().stream())
                .map(this::partition)
                .collect(Collectors.toSet());
        if (unread.size() == wanted.size()) {
            throw failures.leftUnread();
        }
        Map<SessionId, Optional<SessionItem>> found = new HashMap<>();
        for (SessionId id : wanted) {
            AttributeValue key = AttributeValue.fromS(keys.partition(id));
            if (!unread.contains(key)) {
                try {
                    found.put(id, SessionItemCodec.read(id, read.getOrDefault(key, Map.of())));
                } catch (MalformedItemException odd) {
                    // It is missing in the answer, and whoever reads it alone hears why.
                }
            }
        }
        return found;
    }

    private AttributeValue partition(Map<String, AttributeValue> item) {
        return Objects.requireNonNull(item.get(settings.partitionKeyAttribute()));
    }
}
