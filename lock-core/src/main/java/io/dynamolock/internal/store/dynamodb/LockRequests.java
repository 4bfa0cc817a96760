package io.dynamolock.store.dynamodb;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Step;
import java.time.Instant;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The requests about lock items. Each write puts the item's removal by TTL off, and leaves a user's attributes alone. */
final class LockRequests {

    private final DynamoTableSettings settings;
    private final ItemKeys keys;
    private final SentOnce sentOnce;

    LockRequests(DynamoTableSettings settings, ItemKeys keys, SentOnce sentOnce) {
        this.settings = settings;
        this.keys = keys;
        this.sentOnce = sentOnce;
    }

    UpdateItemRequest take(LockKey key, Step step, Instant now) {
        StepExpression expression = new StepExpression(step, settings.dataAttribute());
        Map<String, AttributeValue> values = expression.values();
        values.put(":ttl", AttributeValues.expiry(now, settings));
        Map<String, String> names = expression.names();
        names.put("#ttl", settings.ttlAttribute());
        return UpdateItemRequest.builder()
                .tableName(settings.tableName())
                .key(keys.lock(key))
                .conditionExpression(expression.condition())
                .updateExpression(expression.update("#ttl = :ttl"))
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .returnValues(ReturnValue.ALL_NEW)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .overrideConfiguration(sentOnce.configuration())
                .build();
    }

    GetItemRequest look(LockKey key, boolean consistent) {
        return GetItemRequest.builder()
                .tableName(settings.tableName())
                .key(keys.lock(key))
                .consistentRead(consistent)
                .overrideConfiguration(sentOnce.configuration())
                .build();
    }

    ConditionCheck fence(LockKey key, BlockId block) {
        return ConditionCheck.builder()
                .tableName(settings.tableName())
                .key(keys.lock(key))
                .conditionExpression("begins_with(queue[0], :block)")
                .expressionAttributeValues(Map.of(":block", AttributeValues.string(Entry.beginning(block))))
                .build();
    }
}
