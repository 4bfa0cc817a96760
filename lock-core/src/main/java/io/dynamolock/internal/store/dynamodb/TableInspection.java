package io.dynamolock.internal.store.dynamodb;

import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** What a look at the lock table found. */
public sealed interface TableInspection {

    /** The table is as the store needs it. */
    record Good() implements TableInspection {}

    /** There is no such table, or it is being deleted. */
    record Missing() implements TableInspection {}

    /** The table's key is another one; both in words. */
    record WrongKeySchema(String found, String expected) implements TableInspection {}

    /** TTL is not on for the attribute; {@code otherAttribute} is the one it is on for, if any. */
    record TtlOff(String attribute, @Nullable String otherAttribute) implements TableInspection {}

    /** The table is good, but has replicas in these other regions, which hear of its writes only later. */
    record LateReplicas(List<String> regions) implements TableInspection {}

    /** Of a table without strong consistency among its replicas, the rest of which is good. */
    static TableInspection ofReplicas(TableDescription table) {
        // DynamoDB lists the other replicas only, but some that imitate it list the table's own region too.
        String[] arn =
                table.tableArn() == null ? new String[0] : table.tableArn().split(":");
        List<String> others = table.replicas().stream()
                .map(ReplicaDescription::regionName)
                .filter(region -> arn.length < 4 || !region.equals(arn[3]))
                .sorted()
                .toList();
        return others.isEmpty() ? new Good() : new LateReplicas(others);
    }
}
