package io.dynamolock.lockingread;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
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

    /** By the word with which a clause begins. */
    private final Map<String, String> clauses = new TreeMap<>();

    private final Set<String> changed = new HashSet<>();
    private final List<String> conditions = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();

    /** Removes the attribute if there is no value. */
    ItemExpression set(String attribute, @Nullable AttributeValue value) {
        return value == null ? remove(attribute) : change("SET", attribute, name(attribute) + " = " + value(value));
    }

    ItemExpression remove(String attribute) {
        return change("REMOVE", attribute, name(attribute));
    }

    private ItemExpression change(String clause, String attribute, String text) {
        clauses.merge(clause, clause + " " + text, (before, first) -> before + ", " + text);
        changed.add(attribute);
        return this;
    }

    /** The attributes that it changes. */
    Set<String> changed() {
        return changed;
    }

    /** All that are required must hold. */
    ItemExpression require(String condition) {
        conditions.add(condition);
        return this;
    }

    String equal(String attribute, AttributeValue value) {
        return name(attribute) + " = " + value(value);
    }

    String compare(String attribute, String operator, AttributeValue value) {
        return name(attribute) + " " + operator + " " + value(value);
    }

    String absent(String attribute) {
        return "attribute_not_exists(" + name(attribute) + ")";
    }

    String present(String attribute) {
        return "attribute_exists(" + name(attribute) + ")";
    }

    /** The condition of an extension, which has placeholders of its own. */
    void requireToo(@Nullable Expression condition) {
        if (condition != null && condition.expression() != null) {
            conditions.add("(" + condition.expression() + ")");
            names.putAll(Objects.requireNonNullElse(condition.expressionNames(), Map.of()));
            values.putAll(Objects.requireNonNullElse(condition.expressionValues(), Map.of()));
        }
    }

    /** The changes of an extension. */
    void changeToo(UpdateExpression by) {
        by.setActions()
                .forEach(a -> add("SET", a.path() + " = " + a.value(), a.expressionNames(), a.expressionValues()));
        by.removeActions().forEach(a -> add("REMOVE", a.path(), a.expressionNames(), Map.of()));
        by.addActions().forEach(a -> add("ADD", a.path() + " " + a.value(), a.expressionNames(), a.expressionValues()));
        by.deleteActions()
                .forEach(a -> add("DELETE", a.path() + " " + a.value(), a.expressionNames(), a.expressionValues()));
    }

    private void add(String clause, String text, Map<String, String> itsNames, Map<String, AttributeValue> itsValues) {
        names.putAll(itsNames);
        values.putAll(itsValues);
        // A path to something in an attribute counts as the attribute.
        String attribute = text.split("[.\\[ ]", 2)[0];
        change(clause, itsNames.getOrDefault(attribute, attribute), text);
    }

    UpdateItemRequest update(ItemId item, ReturnValue returned) {
        return UpdateItemRequest.builder()
                .tableName(item.table())
                .key(item.key())
                .updateExpression(String.join(" ", clauses.values()))
                .conditionExpression(String.join(" AND ", conditions))
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .returnValues(returned)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }

    DeleteItemRequest delete(ItemId item) {
        return DeleteItemRequest.builder()
                .tableName(item.table())
                .key(item.key())
                .conditionExpression(String.join(" AND ", conditions))
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }

    private String name(String attribute) {
        String placeholder = "#l" + names.size();
        names.put(placeholder, attribute);
        return placeholder;
    }

    private String value(AttributeValue value) {
        String placeholder = ":l" + values.size();
        values.put(placeholder, value);
        return placeholder;
    }
}
