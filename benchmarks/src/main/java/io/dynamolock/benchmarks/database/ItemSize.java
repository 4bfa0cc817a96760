package io.dynamolock.benchmarks.database;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The size of an item by DynamoDB's rules, for the kinds of values that locks consist of. */
final class ItemSize {

    private static final int WRITE_UNIT_BYTES = 1_024;
    private static final int CONTAINER = 3;
    private static final int ELEMENT = 1;

    private ItemSize() {}

    /** Write units that a write of the item costs. */
    static int writeUnits(Map<String, AttributeValue> item) {
        return Math.max(1, (attributes(item) + WRITE_UNIT_BYTES - 1) / WRITE_UNIT_BYTES);
    }

    private static int attributes(Map<String, AttributeValue> attributes) {
        return attributes.entrySet().stream()
                .mapToInt(attribute -> bytes(attribute.getKey()) + of(attribute.getValue()))
                .sum();
    }

    private static int of(AttributeValue value) {
        return switch (value.type()) {
            case S -> bytes(value.s());
            case N -> 1 + (value.n().length() + 1) / 2;
            case SS -> value.ss().stream().mapToInt(ItemSize::bytes).sum();
            case L ->
                CONTAINER
                        + value.l().stream()
                                .mapToInt(element -> ELEMENT + of(element))
                                .sum();
            case M -> CONTAINER + value.m().size() * ELEMENT + attributes(value.m());
            case BOOL, NUL -> 1;
            default -> throw new IllegalArgumentException("no lock has such a value: " + value.type());
        };
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
