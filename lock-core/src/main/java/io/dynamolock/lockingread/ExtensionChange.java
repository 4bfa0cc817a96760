package io.dynamolock.lockingread;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.update.UpdateExpression;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** One of the changes that an extension of a table makes to what is written, with placeholders of its own. */
record ExtensionChange(
        String clause,
        String path,
        String text,
        @Nullable Map<String, String> names,
        @Nullable Map<String, AttributeValue> values) {

    static List<ExtensionChange> of(@Nullable UpdateExpression changes) {
        List<ExtensionChange> all = new ArrayList<>();
        if (changes != null) {
            changes.setActions()
                    .forEach(set -> all.add(new ExtensionChange(
                            "SET",
                            set.path(),
                            set.path() + " = " + set.value(),
                            set.expressionNames(),
                            set.expressionValues())));
            changes.removeActions()
                    .forEach(remove -> all.add(new ExtensionChange(
                            "REMOVE", remove.path(), remove.path(), remove.expressionNames(), null)));
            changes.addActions()
                    .forEach(add -> all.add(new ExtensionChange(
                            "ADD",
                            add.path(),
                            add.path() + " " + add.value(),
                            add.expressionNames(),
                            add.expressionValues())));
            changes.deleteActions()
                    .forEach(delete -> all.add(new ExtensionChange(
                            "DELETE",
                            delete.path(),
                            delete.path() + " " + delete.value(),
                            delete.expressionNames(),
                            delete.expressionValues())));
        }
        return all;
    }

    /** A path to something in an attribute counts as the attribute. */
    String attribute() {
        String first = path.split("[.\\[]", 2)[0];
        return names == null ? first : Objects.requireNonNullElse(names.get(first), first);
    }
}
