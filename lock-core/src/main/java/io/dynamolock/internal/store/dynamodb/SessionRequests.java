package io.dynamolock.store.dynamodb;

import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.Dispute;
import io.dynamolock.protocol.Eviction;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The requests about session items. A session exists if its item has a beat. */
final class SessionRequests {

    private final DynamoTableSettings settings;
    private final ItemKeys keys;
    private final SentOnce sentOnce;
    private final SentOnce beginning;

    /** @param beginning how requests are sent that begin a session, which may take longer than others */
    SessionRequests(DynamoTableSettings settings, ItemKeys keys, SentOnce sentOnce, SentOnce beginning) {
        this.settings = settings;
        this.keys = keys;
        this.sentOnce = sentOnce;
        this.beginning = beginning;
    }

    UpdateItemRequest begin(SessionId id, SessionStep.Begin begin, Instant now) {
        SessionItem session = begin.begun();
        Map<String, String> names = new HashMap<>();
        Map<String, AttributeValue> values = new HashMap<>();
        StringJoiner sets = new StringJoiner(", ", "SET ", "");
        Map<String, AttributeValue> attributes = new HashMap<>(SessionItems.write(session));
        attributes.put(settings.ttlAttribute(), AttributeValues.expiry(now, settings));
        attributes.forEach((name, value) -> {
            int next = names.size();
            names.put("#" + next, name);
            values.put(":" + next, value);
            sets.add("#" + next + " = :" + next);
        });
        return update(id)
                .overrideConfiguration(beginning.configuration())
                .updateExpression(sets.toString())
                .conditionExpression("attribute_not_exists(beat)")
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .build();
    }

    UpdateItemRequest beat(SessionId id, SessionStep.Beat beat, Instant now) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":beat", AttributeValues.number(beat.number()));
        values.put(":at", AttributeValues.string(beat.at()));
        values.put(":ttl", AttributeValues.expiry(now, settings));
        String update = "SET beat = :beat, beatAt = :at, #ttl = :ttl";
        StringJoiner deletes = new StringJoiner(", ", " DELETE ", "").setEmptyValue("");
        if (!beat.settled().isEmpty()) {
            List<String> settled = beat.settled().stream()
                    .map(dispute -> DisputeCodec.encode(id, dispute))
                    .toList();
            values.put(":settled", AttributeValue.fromSs(settled));
            deletes.add("disputes :settled");
        }
        if (!beat.obeyed().isEmpty()) {
            List<String> obeyed = beat.obeyed().stream()
                    .map(eviction -> EvictionCodec.encode(id, eviction))
                    .toList();
            values.put(":obeyed", AttributeValue.fromSs(obeyed));
            deletes.add("evictions :obeyed");
        }
        return update(id)
                .updateExpression(update + deletes)
                .conditionExpression("beat < :beat")
                .expressionAttributeNames(Map.of("#ttl", settings.ttlAttribute()))
                .expressionAttributeValues(values)
                .build();
    }

    UpdateItemRequest raise(SessionId id, Dispute dispute) {
        String text = DisputeCodec.encode(id, dispute);
        return update(id)
                .updateExpression("ADD disputes :disputes")
                .conditionExpression("attribute_exists(beat) AND (attribute_not_exists(disputes)"
                        + " OR size(disputes) < :most OR contains(disputes, :dispute))")
                .expressionAttributeValues(Map.of(
                        ":disputes", AttributeValue.fromSs(List.of(text)),
                        ":dispute", AttributeValue.fromS(text),
                        ":most", AttributeValues.number(SessionStep.Raise.MOST)))
                .build();
    }

    UpdateItemRequest evict(SessionId id, Eviction eviction) {
        String text = EvictionCodec.encode(id, eviction);
        return update(id)
                .updateExpression("ADD evictions :evictions")
                .conditionExpression("attribute_exists(beat) AND attribute_not_exists(keptUntil)"
                        + " AND (attribute_not_exists(evictions)"
                        + " OR size(evictions) < :most OR contains(evictions, :eviction))")
                .expressionAttributeValues(Map.of(
                        ":evictions", AttributeValue.fromSs(List.of(text)),
                        ":eviction", AttributeValue.fromS(text),
                        ":most", AttributeValues.number(SessionStep.Evict.MOST)))
                .build();
    }

    DeleteItemRequest bury(SessionId id, SessionStep.Bury bury) {
        return delete(id)
                .conditionExpression("attribute_not_exists(beat) OR beat = :beat")
                .expressionAttributeValues(Map.of(":beat", AttributeValues.number(bury.beat())))
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }

    DeleteItemRequest end(SessionId id) {
        return delete(id).build();
    }

    GetItemRequest read(SessionId id) {
        return GetItemRequest.builder()
                .tableName(settings.tableName())
                .key(keys.session(id))
                .consistentRead(true)
                .overrideConfiguration(sentOnce.configuration())
                .build();
    }

    BatchGetItemRequest read(Set<SessionId> ids) {
        KeysAndAttributes wanted = KeysAndAttributes.builder()
                .keys(ids.stream().map(keys::session).toList())
                .consistentRead(true)
                .build();
        return BatchGetItemRequest.builder()
                .requestItems(Map.of(settings.tableName(), wanted))
                .overrideConfiguration(sentOnce.configuration())
                .build();
    }

    private UpdateItemRequest.Builder update(SessionId id) {
        return UpdateItemRequest.builder()
                .tableName(settings.tableName())
                .key(keys.session(id))
                .returnValues(ReturnValue.ALL_NEW)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .overrideConfiguration(sentOnce.configuration());
    }

    private DeleteItemRequest.Builder delete(SessionId id) {
        return DeleteItemRequest.builder()
                .tableName(settings.tableName())
                .key(keys.session(id))
                .overrideConfiguration(sentOnce.configuration());
    }
}
