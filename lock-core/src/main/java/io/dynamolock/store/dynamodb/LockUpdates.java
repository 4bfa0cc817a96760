package io.dynamolock.store.dynamodb;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.LockKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The steps on a lock item, each as one conditional update. All of them put its removal by TTL off. */
final class LockUpdates {

    private static final String SET_HOLDER = "holderSession = :session, holderBlock = :block, holderOwner = :owner";

    private final DynamoTableSettings settings;
    private final ItemKeys keys;

    LockUpdates(DynamoTableSettings settings, ItemKeys keys) {
        this.settings = settings;
        this.keys = keys;
    }

    UpdateItemRequest tryAcquire(LockKey key, Claimant claimant, int count, Instant now) {
        Map<String, AttributeValue> values = holder(claimant);
        values.put(":since", string(now));
        values.put(":base", number(epochMicros(now)));
        values.put(":count", number(count));
        return update(
                key,
                "SET tail = if_not_exists(tail, :base) + :count, serving = if_not_exists(tail, :base) + :count, "
                        + SET_HOLDER + ", holderSince = :since",
                "attribute_not_exists(tail) OR (attribute_not_exists(holderBlock) AND tail = serving)",
                values,
                now);
    }

    UpdateItemRequest takeNumbers(LockKey key, int count, Instant now) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":base", number(epochMicros(now)));
        values.put(":count", number(count));
        return update(key, "SET tail = if_not_exists(tail, :base) + :count", null, values, now);
    }

    UpdateItemRequest claim(LockKey key, Claimant claimant, long last, @Nullable BlockId dead, Instant now) {
        Map<String, AttributeValue> values = holder(claimant);
        values.put(":since", string(now));
        values.put(":last", number(last));
        String claimable = "attribute_not_exists(holderBlock)";
        if (dead != null) {
            values.put(":dead", string(dead));
            claimable = "(attribute_not_exists(holderBlock) OR holderBlock = :dead)";
        }
        return update(
                key,
                "SET serving = :last, " + SET_HOLDER + ", holderSince = :since",
                "attribute_exists(tail) AND (attribute_not_exists(serving) OR serving < :last) AND " + claimable,
                values,
                now);
    }

    UpdateItemRequest handOver(LockKey key, BlockId from, Claimant claimant, long last, Instant now) {
        Map<String, AttributeValue> values = holder(claimant);
        values.put(":last", number(last));
        values.put(":from", string(from));
        boolean sameBlock = from.equals(claimant.block());
        if (!sameBlock) {
            values.put(":since", string(now));
        }
        return update(
                key,
                "SET serving = :last, " + SET_HOLDER + (sameBlock ? "" : ", holderSince = :since"),
                "holderBlock = :from AND serving < :last",
                values,
                now);
    }

    UpdateItemRequest extend(LockKey key, BlockId block, int count, Instant now) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":block", string(block));
        values.put(":count", number(count));
        return update(
                key,
                "SET tail = tail + :count, serving = serving + :count",
                "holderBlock = :block AND tail = serving",
                values,
                now);
    }

    UpdateItemRequest rename(LockKey key, BlockId from, Claimant claimant, Instant now) {
        Map<String, AttributeValue> values = holder(claimant);
        values.put(":from", string(from));
        return update(key, "SET " + SET_HOLDER, "holderBlock = :from", values, now);
    }

    UpdateItemRequest release(LockKey key, BlockId block, Instant now) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":block", string(block));
        return update(
                key,
                "REMOVE holderSession, holderBlock, holderOwner, holderSince SET",
                "holderBlock = :block",
                values,
                now);
    }

    /** @param update ends in a SET clause, to which the new time of removal is added */
    private UpdateItemRequest update(
            LockKey key, String update, @Nullable String condition, Map<String, AttributeValue> values, Instant now) {
        values.put(":ttl", number(expiresAt(settings, now)));
        return UpdateItemRequest.builder()
                .tableName(settings.tableName())
                .key(keys.lock(key))
                .updateExpression(update + (update.endsWith("SET") ? " " : ", ") + "#ttl = :ttl")
                .conditionExpression(condition)
                .expressionAttributeNames(Map.of("#ttl", settings.ttlAttribute()))
                .expressionAttributeValues(values)
                .returnValues(ReturnValue.ALL_NEW)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }

    static long expiresAt(DynamoTableSettings settings, Instant now) {
        return now.plus(settings.retention()).getEpochSecond();
    }

    static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    static AttributeValue string(Object value) {
        return AttributeValue.fromS(value.toString());
    }

    private static Map<String, AttributeValue> holder(Claimant claimant) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":session", string(claimant.session()));
        values.put(":block", string(claimant.block()));
        values.put(":owner", string(claimant.owner()));
        return values;
    }

    private static long epochMicros(Instant now) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, now);
    }
}
