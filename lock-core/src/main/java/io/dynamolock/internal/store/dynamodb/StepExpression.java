package io.dynamolock.store.dynamodb;

import io.dynamolock.protocol.Change;
import io.dynamolock.protocol.Condition;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A step in DynamoDB's words. It says no more than how each kind of condition and of change is spelled; which of them a
 * step has, the step says itself.
 */
final class StepExpression {

    private final List<String> conditions = new ArrayList<>();
    private final List<String> sets = new ArrayList<>();
    private final List<String> removals = new ArrayList<>();
    private final Map<String, AttributeValue> values = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private final String dataAttribute;

    StepExpression(Step step, String dataAttribute) {
        this.dataAttribute = dataAttribute;
        step.conditions().forEach(condition -> conditions.add(spelled(condition)));
        step.changes().forEach(this::add);
    }

    String condition() {
        return String.join(" AND ", conditions);
    }

    /** @param further is set too, whatever the step changes */
    String update(String further) {
        String update = "SET " + further;
        if (!sets.isEmpty()) {
            update += ", " + String.join(", ", sets);
        }
        return removals.isEmpty() ? update : update + " REMOVE " + String.join(", ", removals);
    }

    /** What the expressions refer to; may be added to. */
    Map<String, AttributeValue> values() {
        return values;
    }

    /** The names that the expressions stand for; may be added to. */
    Map<String, String> names() {
        return names;
    }

    private String spelled(Condition condition) {
        if (condition instanceof Condition.EntryAt at) {
            return place(at.index()) + " = " + value(text(at.entry()));
        }
        if (condition instanceof Condition.NobodyAt at) {
            return "attribute_not_exists(" + place(at.index()) + ")";
        }
        if (condition instanceof Condition.PermitsAre are) {
            return "(attribute_not_exists(permits) OR permits = " + number(are.permits()) + ")";
        }
        if (condition instanceof Condition.PermitsAreNot areNot) {
            return "(attribute_not_exists(permits) OR permits <> " + number(areNot.permits()) + ")";
        }
        if (condition instanceof Condition.Exists) {
            return "attribute_exists(tail)";
        }
        if (condition instanceof Condition.PutsAre puts) {
            return puts.puts() == 0
                    ? "attribute_not_exists(puts)"
                    : "puts = " + value(AttributeValues.number(puts.puts()));
        }
        Condition.Missing missing = (Condition.Missing) condition;
        return "NOT contains(queue, " + value(text(missing.entry())) + ")";
    }

    private void add(Change change) {
        if (change instanceof Change.Issue issue) {
            String base = number(issue.base());
            sets.add("tail = if_not_exists(tail, " + base + ") + " + number(issue.tickets()));
        } else if (change instanceof Change.Append append) {
            String empty = value(AttributeValue.fromL(List.of()));
            String end = value(AttributeValue.fromL(List.of(text(append.entry()))));
            sets.add("queue = list_append(if_not_exists(queue, " + empty + "), " + end + ")");
        } else if (change instanceof Change.Replace replace) {
            sets.add(place(replace.index()) + " = " + value(text(replace.entry())));
        } else if (change instanceof Change.Permits permits) {
            sets.add("permits = " + number(permits.permits()));
        } else if (change instanceof Change.SetData put) {
            sets.add("puts = if_not_exists(puts, " + value(AttributeValues.number(0)) + ") + "
                    + value(AttributeValues.number(1)));
            names.put("#data", dataAttribute);
            if (put.data().isEmpty()) {
                removals.add("#data");
            } else {
                sets.add("#data = "
                        + value(AttributeValue.fromB(
                                SdkBytes.fromByteArray(put.data().bytes()))));
            }
        } else {
            removals.add(place(((Change.Remove) change).index()));
        }
    }

    private String number(long number) {
        return value(AttributeValues.number(number));
    }

    private static String place(int index) {
        return "queue[" + index + "]";
    }

    private static AttributeValue text(Entry entry) {
        return AttributeValue.fromS(entry.toString());
    }

    private String value(AttributeValue value) {
        String name = ":" + values.size();
        values.put(name, value);
        return name;
    }
}
