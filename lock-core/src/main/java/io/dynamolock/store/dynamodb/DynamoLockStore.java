package io.dynamolock.store.dynamodb;

import io.dynamolock.store.BeatResult;
import io.dynamolock.store.BlockId;
import io.dynamolock.store.BuryResult;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.Dispute;
import io.dynamolock.store.DisputeResult;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockState;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.QueueView;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.SessionState;
import io.dynamolock.store.WaiterRow;
import io.dynamolock.store.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbAsyncTable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedAsyncClient;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The lock store on a DynamoDB table; {@code docs/table.md} says what its items look like. The client stays the
 * caller's, who closes it after the last use of this store.
 */
public final class DynamoLockStore implements LockStore {

    static final int MAX_DISPUTES = 20;

    private final DynamoTableSettings settings;
    private final ItemKeys keys;
    private final LockUpdates updates;
    private final DynamoCalls calls;
    private final SingleAttemptClient client;
    private final DynamoDbAsyncTable<WaiterItem> waiters;
    private final DynamoDbAsyncTable<SessionItem> sessions;

    public DynamoLockStore(DynamoDbAsyncClient client, DynamoTableSettings settings) {
        this.settings = settings;
        this.keys = new ItemKeys(settings);
        this.updates = new LockUpdates(settings, keys);
        this.calls = new DynamoCalls(new DynamoFailures(settings.tableName(), client), settings.callTimeout());
        this.client = new SingleAttemptClient(client, settings.callTimeout());
        DynamoDbEnhancedAsyncClient enhanced = DynamoDbEnhancedAsyncClient.builder()
                .dynamoDbClient(this.client)
                .extensions(List.of())
                .build();
        this.waiters = enhanced.table(settings.tableName(), WaiterItem.schema(settings));
        this.sessions = enhanced.table(settings.tableName(), SessionItem.schema(settings));
    }

    @Override
    public Optional<Instant> lastAnsweredAt() {
        return client.lastAnsweredAt();
    }

    @Override
    public CompletionStage<WriteResult> tryAcquire(LockKey key, Claimant claimant, int count, Instant now) {
        return write(updates.tryAcquire(key, claimant, count, now), claimant.block());
    }

    @Override
    public CompletionStage<LockState> takeNumbers(LockKey key, int count, Instant now) {
        UpdateItemRequest request = updates.takeNumbers(key, count, now);
        return calls.call(
                DynamoOperation.UPDATE_ITEM,
                () -> client.updateItem(request),
                response -> LockItems.state(response.attributes()));
    }

    @Override
    public CompletionStage<Void> enter(LockKey key, WaiterRow row) {
        WaiterItem item = WaiterItem.of(key, row, keys, settings);
        return calls.call(DynamoOperation.PUT_ITEM, () -> waiters.putItem(item));
    }

    @Override
    public CompletionStage<QueueView> look(LockKey key, int limit) {
        QueryRequest request = QueryRequest.builder()
                .tableName(settings.tableName())
                .keyConditionExpression("#pk = :pk AND #sk BETWEEN :lock AND :highest")
                .expressionAttributeNames(
                        Map.of("#pk", settings.partitionKeyAttribute(), "#sk", settings.sortKeyAttribute()))
                .expressionAttributeValues(Map.of(
                        ":pk", AttributeValue.fromS(keys.partition(key)),
                        ":lock", AttributeValue.fromS(keys.lockSortKey(key)),
                        ":highest", AttributeValue.fromS(keys.highestRowSortKey(key))))
                .consistentRead(true)
                // The lock, and one row more than asked, to see whether there are more.
                .limit(Math.min(limit, Integer.MAX_VALUE - 2) + 2)
                .build();
        return calls.call(DynamoOperation.QUERY, () -> client.query(request), response -> queueView(response, limit));
    }

    @Override
    public CompletionStage<WriteResult> claim(
            LockKey key, Claimant claimant, long last, @Nullable BlockId dead, Instant now) {
        return write(updates.claim(key, claimant, last, dead, now), claimant.block());
    }

    @Override
    public CompletionStage<WriteResult> handOver(LockKey key, BlockId from, Claimant claimant, long last, Instant now) {
        return write(updates.handOver(key, from, claimant, last, now), claimant.block());
    }

    @Override
    public CompletionStage<WriteResult> extend(LockKey key, BlockId block, int count, Instant now) {
        return write(updates.extend(key, block, count, now), null);
    }

    @Override
    public CompletionStage<WriteResult> rename(LockKey key, BlockId from, Claimant claimant, Instant now) {
        return write(updates.rename(key, from, claimant, now), claimant.block());
    }

    @Override
    public CompletionStage<WriteResult> release(LockKey key, BlockId block, Instant now) {
        return write(updates.release(key, block, now), null);
    }

    @Override
    public CompletionStage<Void> deleteRow(LockKey key, long first, BlockId block) {
        Key row = Key.builder()
                .partitionValue(keys.partition(key))
                .sortValue(keys.rowSortKey(key, first))
                .build();
        Expression ofThisBlock = Expression.builder()
                .expression("#block = :block")
                .putExpressionName("#block", WaiterItem.BLOCK)
                .putExpressionValue(":block", LockUpdates.string(block))
                .build();
        return calls.call(
                DynamoOperation.DELETE_ITEM,
                () -> waiters.deleteItem(request -> request.key(row)
                        .conditionExpression(ofThisBlock)
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)),
                DynamoCalls::nothing,
                DynamoCalls::nothing);
    }

    @Override
    public CompletionStage<Void> createSession(SessionId id, Duration lease, String owner, Instant now) {
        SessionItem item = new SessionItem(
                keys.partition(id),
                ItemKeys.SESSION_SORT_KEY,
                0,
                lease.toString(),
                owner,
                now,
                LockUpdates.expiresAt(settings, now));
        // A second landing of the same request must not set the beat back.
        Expression isNew =
                Expression.builder().expression("attribute_not_exists(beat)").build();
        return calls.call(
                DynamoOperation.PUT_ITEM,
                () -> sessions.putItem(request -> request.item(item)
                        .conditionExpression(isNew)
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)),
                DynamoCalls::nothing,
                DynamoCalls::nothing);
    }

    @Override
    public CompletionStage<BeatResult> beat(SessionId id, long beat, Set<Dispute> settled, Instant now) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":beat", LockUpdates.number(beat));
        values.put(":now", LockUpdates.string(now));
        values.put(":ttl", LockUpdates.number(LockUpdates.expiresAt(settings, now)));
        String update = "SET beat = :beat, beatAt = :now, #ttl = :ttl";
        if (!settled.isEmpty()) {
            values.put(
                    ":settled",
                    AttributeValue.fromSs(
                            settled.stream().map(DisputeCodec::encode).toList()));
            update += " DELETE disputes :settled";
        }
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(settings.tableName())
                .key(keys.session(id))
                .updateExpression(update)
                .conditionExpression("beat < :beat")
                .expressionAttributeNames(Map.of("#ttl", settings.ttlAttribute()))
                .expressionAttributeValues(values)
                .returnValues(ReturnValue.ALL_NEW)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
        return calls.call(
                DynamoOperation.UPDATE_ITEM,
                () -> client.updateItem(request),
                response -> new BeatResult.Alive(disputes(response.attributes())),
                refusal -> refusal.item().containsKey(SessionItem.BEAT)
                        ? new BeatResult.Alive(disputes(refusal.item()))
                        : new BeatResult.Gone());
    }

    @Override
    public CompletionStage<Optional<SessionState>> readSession(SessionId id) {
        return calls.call(
                DynamoOperation.GET_ITEM,
                () -> sessions.getItem(request -> request.key(sessionKey(id)).consistentRead(true)),
                item -> Optional.ofNullable(item).map(found -> found.state(id)));
    }

    @Override
    public CompletionStage<BuryResult> bury(SessionId id, long beat) {
        Expression stillAtThisBeat = Expression.builder()
                .expression("attribute_not_exists(beat) OR beat = :beat")
                .putExpressionValue(":beat", LockUpdates.number(beat))
                .build();
        return calls.call(
                DynamoOperation.DELETE_ITEM,
                () -> sessions.deleteItem(request -> request.key(sessionKey(id))
                        .conditionExpression(stillAtThisBeat)
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)),
                deleted -> BuryResult.DEAD,
                refusal -> BuryResult.ALIVE);
    }

    @Override
    public CompletionStage<Void> endSession(SessionId id) {
        return calls.call(DynamoOperation.DELETE_ITEM, () -> sessions.deleteItem(sessionKey(id)));
    }

    @Override
    public CompletionStage<DisputeResult> dispute(SessionId holder, Dispute dispute) {
        String text = DisputeCodec.encode(dispute);
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(settings.tableName())
                .key(keys.session(holder))
                .updateExpression("ADD disputes :disputes")
                .conditionExpression("attribute_exists(beat) AND (attribute_not_exists(disputes)"
                        + " OR size(disputes) < :most OR contains(disputes, :dispute))")
                .expressionAttributeValues(Map.of(
                        ":disputes", AttributeValue.fromSs(List.of(text)),
                        ":dispute", AttributeValue.fromS(text),
                        ":most", LockUpdates.number(MAX_DISPUTES)))
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
        return calls.call(
                DynamoOperation.UPDATE_ITEM,
                () -> client.updateItem(request),
                response -> DisputeResult.FILED,
                refusal -> refusal.item().isEmpty() ? DisputeResult.GONE : DisputeResult.FULL);
    }

    /** @param block the block that holds the lock if an earlier sending of this write took effect */
    private CompletionStage<WriteResult> write(UpdateItemRequest request, @Nullable BlockId block) {
        return calls.call(
                DynamoOperation.UPDATE_ITEM,
                () -> client.updateItem(request),
                response -> new WriteResult.Applied(LockItems.state(response.attributes())),
                refusal -> {
                    LockState state = LockItems.state(refusal.item());
                    return block != null && state.isHeldBy(block)
                            ? new WriteResult.Applied(state)
                            : new WriteResult.Refused(state);
                });
    }

    private QueueView queueView(QueryResponse response, int limit) {
        LockState lock = LockState.ABSENT;
        List<WaiterRow> rows = new ArrayList<>();
        for (Map<String, AttributeValue> item : response.items()) {
            if (keys.isLock(item)) {
                lock = LockItems.state(item);
            } else {
                rows.add(waiters.tableSchema().mapToItem(item).row());
            }
        }
        boolean complete = !response.hasLastEvaluatedKey() && rows.size() <= limit;
        return new QueueView(lock, rows.subList(0, Math.min(limit, rows.size())), complete);
    }

    private Key sessionKey(SessionId id) {
        return Key.builder()
                .partitionValue(keys.partition(id))
                .sortValue(ItemKeys.SESSION_SORT_KEY)
                .build();
    }

    private static Set<Dispute> disputes(Map<String, AttributeValue> session) {
        AttributeValue disputes = session.get(SessionItem.DISPUTES);
        if (disputes == null) {
            return Set.of();
        }
        return Set.copyOf(disputes.ss().stream()
                .flatMap(text -> DisputeCodec.decode(text).stream())
                .toList());
    }
}
