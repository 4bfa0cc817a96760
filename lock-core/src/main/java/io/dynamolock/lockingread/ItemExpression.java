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
import software.amazon.awssdk.enhanced.dynamodb.update.AddAction;
import software.amazon.awssdk.enhanced.dynamodb.update.DeleteAction;
import software.amazon.awssdk.enhanced.dynamodb.update.RemoveAction;
import software.amazon.awssdk.enhanced.dynamodb.update.SetAction;
import software.amazon.awssdk.enhanced.dynamodb.update.UpdateExpression;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Builds an update expression and a condition expression of DynamoDB. Attributes appear in them only as placeholders,
 * because their names may be reserved words.
 */
final class ItemExpression {

    /** The clauses of the update expression, by the word with which each begins. */
    private final Map<String, String> clauses = new TreeMap<>();

    /** The attributes that the update expression changes. */
    private final Set<String> changed = new HashSet<>();

    private final List<String> conditions = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();

    /** Sets an attribute, or removes it if the value is {@code null}. */
    ItemExpression set(String attribute, @Nullable AttributeValue value) {
        return value == null ? remove(attribute) : change("SET", attribute, name(attribute) + " = " + value(value));
    }

    ItemExpression remove(String attribute) {
        return change("REMOVE", attribute, name(attribute));
    }

    private ItemExpression change(String clause, String attribute, String text) {
        clauses.merge(clause, clause + " " + text, (clauseBefore, ignored) -> clauseBefore + ", " + text);
        changed.add(attribute);
        return this;
    }

    /** The attributes that the expression changes. */
    Set<String> changed() {
        return changed;
    }

    /** Adds a condition. All conditions must hold. */
    ItemExpression require(String condition) {
        conditions.add(condition);
        return this;
    }

    String equal(String attribute, AttributeValue value) {
        return name(attribute) + " = " + value(value);
    }

    String between(String attribute, AttributeValue least, AttributeValue greatest) {
        return name(attribute) + " BETWEEN " + value(least) + " AND " + value(greatest);
    }

    String beginsWith(String attribute, String text) {
        return "begins_with(" + name(attribute) + ", " + value(AttributeValue.fromS(text)) + ")";
    }

    String absent(String attribute) {
        return "attribute_not_exists(" + name(attribute) + ")";
    }

    String present(String attribute) {
        return "attribute_exists(" + name(attribute) + ")";
    }

    /** Adds the condition of an extension, which has its own placeholders. */
    void requireToo(@Nullable Expression condition) {
        if (condition != null && condition.expression() != null) {
            conditions.add("(" + condition.expression() + ")");
            names.putAll(Objects.requireNonNullElse(condition.expressionNames(), Map.of()));
            values.putAll(Objects.requireNonNullElse(condition.expressionValues(), Map.of()));
        }
    }

    /** Adds the changes of an extension, which have their own placeholders. */
    void changeToo(UpdateExpression extension) {
        for (SetAction action : extension.setActions()) {
            String text = action.path() + " = " + action.value();
            add("SET", text, action.expressionNames(), action.expressionValues());
        }
        for (RemoveAction action : extension.removeActions()) {
            add("REMOVE", action.path(), action.expressionNames(), Map.of());
        }
        for (AddAction action : extension.addActions()) {
            String text = action.path() + " " + action.value();
            add("ADD", text, action.expressionNames(), action.expressionValues());
        }
        for (DeleteAction action : extension.deleteActions()) {
            String text = action.path() + " " + action.value();
            add("DELETE", text, action.expressionNames(), action.expressionValues());
        }
    }

    private void add(
            String clause, String text, Map<String, String> actionNames, Map<String, AttributeValue> actionValues) {
        names.putAll(actionNames);
        values.putAll(actionValues);
        // A path into an attribute counts as a change of the whole attribute.
        String attribute = text.split("[.\\[ ]", 2)[0];
        change(clause, actionNames.getOrDefault(attribute, attribute), text);
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
