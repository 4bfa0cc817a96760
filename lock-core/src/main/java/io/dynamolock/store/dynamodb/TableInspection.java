package io.dynamolock.store.dynamodb;

import org.jspecify.annotations.Nullable;

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
}
