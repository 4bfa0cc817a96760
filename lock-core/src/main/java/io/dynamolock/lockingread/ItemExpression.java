package io.dynamolock.lockingread;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.update.UpdateExpression;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Changes and conditions in DynamoDB's words. No attribute stands in them by its own name, since that may be a reserved
 * word.
 */
final class ItemExpression {

    private final List<String> sets = new ArrayList<>();
    private final List<String> removals = new ArrayList<>();
    private final List<String> additions = new ArrayList<>();
    private final List<String> deletions = new ArrayList<>();
    private final List<String> conditions = new ArrayList<>();
    private final Map<String, String> placeholders = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();

    ItemExpression set(String attribute, AttributeValue value) {
        sets.add(name(attribute) + " = " + value(value));
        return this;
    }

    ItemExpression remove(String attribute) {
        removals.add(name(attribute));
        return this;
    }

    /** All that are required must hold. */
    ItemExpression require(String condition) {
        conditions.add(condition);
        return this;
    }

    String equal(String attribute, AttributeValue value) {
        return name(attribute) + " = " + value(value);
    }

    String less(String attribute, AttributeValue value) {
        return name(attribute) + " < " + value(value);
    }

    String absent(String attribute) {
        return "attribute_not_exists(" + name(attribute) + ")";
    }

    String present(String attribute) {
        return "attribute_exists(" + name(attribute) + ")";
    }

    /** The condition of an extension, which has placeholders of its own. */
    ItemExpression requireToo(@Nullable Expression condition) {
        if (condition != null && condition.expression() != null) {
            conditions.add("(" + condition.expression() + ")");
            addAll(condition.expressionNames(), condition.expressionValues());
        }
        return this;
    }

    /** The changes of an extension. */
    ItemExpression changeToo(@Nullable UpdateExpression changes) {
        if (changes != null) {
            changes.setActions().forEach(set -> {
                sets.add(set.path() + " = " + set.value());
                addAll(set.expressionNames(), set.expressionValues());
            });
            changes.removeActions().forEach(remove -> {
                removals.add(remove.path());
                addAll(remove.expressionNames(), null);
            });
            changes.addActions().forEach(add -> {
                additions.add(add.path() + " " + add.value());
                addAll(add.expressionNames(), add.expressionValues());
            });
            changes.deleteActions().forEach(delete -> {
                deletions.add(delete.path() + " " + delete.value());
                addAll(delete.expressionNames(), delete.expressionValues());
            });
        }
        return this;
    }

    private void addAll(@Nullable Map<String, String> moreNames, @Nullable Map<String, AttributeValue> moreValues) {
        if (moreNames != null) {
            names.putAll(moreNames);
        }
        if (moreValues != null) {
            values.putAll(moreValues);
        }
    }

    ItemRequest update(ItemId item, ReturnValue returned) {
        return new ItemRequest.Update(UpdateItemRequest.builder()
                .tableName(item.table())
                .key(item.key())
                .updateExpression(changes())
                .conditionExpression(String.join(" AND ", conditions))
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .returnValues(returned)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build());
    }

    ItemRequest delete(ItemId item) {
        return new ItemRequest.Delete(DeleteItemRequest.builder()
                .tableName(item.table())
                .key(item.key())
                .conditionExpression(String.join(" AND ", conditions))
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build());
    }

    private String changes() {
        return clause("SET", sets)
                + clause("REMOVE", removals)
                + clause("ADD", additions)
                + clause("DELETE", deletions);
    }

    private static String clause(String word, List<String> parts) {
        return parts.isEmpty() ? "" : word + " " + String.join(", ", parts) + " ";
    }

    private String name(String attribute) {
        return placeholders.computeIfAbsent(attribute, unknown -> {
            String placeholder = "#l" + placeholders.size();
            names.put(placeholder, unknown);
            return placeholder;
        });
    }

    private String value(AttributeValue value) {
        String placeholder = ":l" + values.size();
        values.put(placeholder, value);
        return placeholder;
    }
}
