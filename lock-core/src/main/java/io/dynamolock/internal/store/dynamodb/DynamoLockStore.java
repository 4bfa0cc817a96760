package io.dynamolock.store.dynamodb;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import io.dynamolock.store.LockPage;
import io.dynamolock.store.LockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
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
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * The lock store on a DynamoDB table; {@code docs/table.md} says what its items look like. The client stays the
 * caller's, who closes it after the last use of this store.
 */
public final class DynamoLockStore implements LockStore {

    /** Building and signing a request is most of the work of a lock, and keeps a processor busy. */
    static final int SENDERS = 4;

    /** For the steps of the process's own session, which are few and must never wait behind locks. */
    private static final int SENDERS_OF_BEATS = 2;

    private final DynamoTableSettings settings;
    private final ItemKeys keys;
    private final LockItems items;
    private final LockRequests locks;
    private final ListRequests lists;
    private final SessionRequests sessions;
    private final SessionItems sessionItems;
    private final DynamoFailures failures;
    private final DynamoCalls calls;
    private final DynamoCalls beginnings;
    private final DynamoDbAsyncClient client;
    private final Executor threads;
    private final Executor threadsOfBeats = new Bounded(SENDERS_OF_BEATS, CallThreads.pool());
    private volatile @Nullable Instant lastAnsweredAt;

    /** On a client that does not block, with threads of its own. */
    public DynamoLockStore(DynamoDbAsyncClient client, DynamoTableSettings settings) {
        this(client, settings, CallThreads.pool());
    }

    /**
     * On a client that does not block.
     *
     * @param threads where calls about locks are built and sent; this store uses few of them at once
     */
    public DynamoLockStore(DynamoDbAsyncClient client, DynamoTableSettings settings, Executor threads) {
        this(settings, client, new Bounded(SENDERS, threads));
    }

    /**
     * On a client that blocks. It takes less of the processor for each call.
     *
     * @param maxThreads so many threads may be blocked by calls about locks
     * @param threads where those calls are made
     */
    public DynamoLockStore(DynamoDbClient client, DynamoTableSettings settings, int maxThreads, Executor threads) {
        this(settings, new BlockingClient(client), new Bounded(maxThreads, threads));
    }

    /** As above, with threads of its own. */
    public DynamoLockStore(DynamoDbClient client, DynamoTableSettings settings, int maxThreads) {
        this(client, settings, maxThreads, CallThreads.pool());
    }

    private DynamoLockStore(DynamoTableSettings settings, DynamoDbAsyncClient client, Executor threads) {
        this.client = client;
        this.settings = settings;
        this.threads = threads;
        this.keys = new ItemKeys(settings);
        Duration timeToBegin = LockStore.timeToBegin(settings.callTimeout());
        SentOnce sentOnce = new SentOnce(client, settings.callTimeout());
        this.items = new LockItems(settings);
        this.locks = new LockRequests(settings, keys, sentOnce);
        this.lists = new ListRequests(settings, keys, items, sentOnce);
        this.sessions = new SessionRequests(settings, keys, sentOnce, new SentOnce(client, timeToBegin));
        this.sessionItems = new SessionItems(keys);
        this.failures = new DynamoFailures(settings.tableName(), client);
        this.calls = new DynamoCalls(failures, settings.callTimeout());
        this.beginnings = new DynamoCalls(failures, timeToBegin);
    }

    @Override
    public CompletionStage<Answer<LockItem>> take(LockKey key, Step step, Instant now) {
        return calls.of(key)
                .<UpdateItemResponse, Answer<LockItem>>call(
                        threads,
                        DynamoOperation.UPDATE_ITEM,
                        () -> client.updateItem(
                                failures.built(DynamoOperation.UPDATE_ITEM, () -> locks.take(key, step, now))),
                        response -> new Answer.Applied<>(items.read(response.attributes())),
                        refusal -> new Answer.Refused<>(items.read(refusal.item())));
    }

    @Override
    public CompletionStage<LockItem> look(LockKey key, boolean consistent) {
        return calls.of(key)
                .<GetItemResponse, LockItem>call(
                        threads,
                        DynamoOperation.GET_ITEM,
                        () -> client.getItem(locks.look(key, consistent)),
                        response -> {
                            if (consistent) {
                                lookedAt(ServiceClock.answeredAt(response.sdkHttpResponse()));
                            }
                            return items.read(response.item());
                        });
    }

    /** A look that was answered before a session began, and is heard after it, must not set the clock back. */
    private void lookedAt(@Nullable Instant at) {
        Instant last = lastAnsweredAt;
        if (at != null && (last == null || at.isAfter(last))) {
            lastAnsweredAt = at;
        }
    }

    @Override
    public CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after) {
        return key == null
                ? calls.<ScanResponse, LockPage>call(
                        threads,
                        DynamoOperation.SCAN,
                        () -> client.scan(lists.all(after)),
                        response -> lists.page(response.items(), response.lastEvaluatedKey()))
                : calls.<QueryResponse, LockPage>call(
                        threads,
                        DynamoOperation.QUERY,
                        () -> client.query(lists.of(key, after)),
                        response -> lists.page(response.items(), response.lastEvaluatedKey()));
    }

    /** That this block is first in the queue, whatever its number of callers, as a condition for a transaction. */
    public ConditionCheck fence(LockKey key, BlockId block) {
        return locks.fence(key, block);
    }

    @Override
    public CompletionStage<Answer<Optional<SessionItem>>> take(SessionId id, SessionStep step, Instant now) {
        if (step instanceof SessionStep.Begin begin) {
            return update(beginnings, id, threadsOfBeats, () -> sessions.begin(id, begin, now), true);
        }
        if (step instanceof SessionStep.Beat beat) {
            return update(calls, id, threadsOfBeats, () -> sessions.beat(id, beat, now), false);
        }
        if (step instanceof SessionStep.End) {
            return delete(id, threadsOfBeats, () -> sessions.end(id));
        }
        if (step instanceof SessionStep.Bury bury) {
            return delete(id, threads, () -> sessions.bury(id, bury));
        }
        if (step instanceof SessionStep.Evict evict) {
            return update(calls, id, threads, () -> sessions.evict(id, evict.eviction()), false);
        }
        SessionStep.Raise raise = (SessionStep.Raise) step;
        return update(calls, id, threads, () -> sessions.raise(id, raise.dispute()), false);
    }

    @Override
    public CompletionStage<Map<SessionId, Optional<SessionItem>>> sessions(Set<SessionId> ids) {
        Set<SessionId> wanted = Set.copyOf(ids);
        if (wanted.size() > MOST_SESSIONS) {
            throw new IllegalArgumentException("more than " + MOST_SESSIONS + " sessions: " + wanted.size());
        }
        if (wanted.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        if (wanted.size() == 1) {
            SessionId id = wanted.iterator().next();
            return calls.<GetItemResponse, Map<SessionId, Optional<SessionItem>>>call(
                    threads,
                    DynamoOperation.GET_ITEM,
                    () -> client.getItem(sessions.read(id)),
                    response -> Map.of(id, sessionItems.read(id, response.item())));
        }
        return calls.<BatchGetItemResponse, Map<SessionId, Optional<SessionItem>>>call(
                threads,
                DynamoOperation.BATCH_GET_ITEM,
                () -> client.batchGetItem(sessions.read(wanted)),
                response -> found(wanted, response));
    }

    @Override
    public Optional<Instant> lastAnsweredAt() {
        return Optional.ofNullable(lastAnsweredAt);
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
                    return new Answer.Applied<>(sessionItems.read(id, response.attributes()));
                },
                refusal -> new Answer.Refused<>(sessionItems.read(id, refusal.item())));
    }

    private CompletionStage<Answer<Optional<SessionItem>>> delete(
            SessionId id, Executor senders, Supplier<DeleteItemRequest> request) {
        return calls.<DeleteItemResponse, Answer<Optional<SessionItem>>>call(
                senders,
                DynamoOperation.DELETE_ITEM,
                () -> client.deleteItem(failures.built(DynamoOperation.DELETE_ITEM, request)),
                deleted -> new Answer.Applied<>(Optional.empty()),
                refusal -> new Answer.Refused<>(sessionItems.read(id, refusal.item())));
    }

    /**
     * A session that DynamoDB had no capacity to read, or that is too large to be read along with others, must not look like
     * one that is gone, and keeps nobody from seeing the others. Nor does one that is not as it should be.
     */
    private Map<SessionId, Optional<SessionItem>> found(Set<SessionId> wanted, BatchGetItemResponse response) {
        Map<AttributeValue, Map<String, AttributeValue>> read = new HashMap<>();
        response.responses()
                .values()
                .forEach(ofTable -> ofTable.forEach(
                        item -> read.put(Objects.requireNonNull(item.get(settings.partitionKeyAttribute())), item)));
        Set<AttributeValue> unread = response.unprocessedKeys().values().stream()
                .flatMap(ofTable -> ofTable.keys().stream())
                .map(key -> key.get(settings.partitionKeyAttribute()))
                .collect(Collectors.toSet());
        if (unread.size() == wanted.size()) {
            throw failures.leftUnread();
        }
        Map<SessionId, Optional<SessionItem>> found = new HashMap<>();
        for (SessionId id : wanted) {
            AttributeValue key = AttributeValue.fromS(keys.partition(id));
            if (!unread.contains(key)) {
                try {
                    found.put(id, sessionItems.read(id, read.getOrDefault(key, Map.of())));
                } catch (MalformedItemException odd) {
                    // It is missing in the answer, and whoever reads it alone hears why.
                }
            }
        }
        return Map.copyOf(found);
    }
}
