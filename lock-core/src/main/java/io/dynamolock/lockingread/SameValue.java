package io.dynamolock.lockingread;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Whether two values are the same to DynamoDB: however a number is spelled, and in whatever order a set comes. */
final class SameValue {

    private SameValue() {}

    /** Two attributes that are not there are the same. */
    static boolean same(@Nullable AttributeValue one, @Nullable AttributeValue other) {
        return one == null ? other == null : other != null && canonical(one).equals(canonical(other));
    }

    /** One spelling for a value that stands for all of its spellings. */
    static Object canonical(AttributeValue value) {
        return switch (value.type()) {
            case N -> number(value.n());
            case NS -> value.ns().stream().map(SameValue::number).collect(Collectors.toSet());
            case SS -> Set.copyOf(value.ss());
            case BS -> Set.copyOf(value.bs());
            case L -> value.l().stream().map(SameValue::canonical).toList();
            case M ->
                value.m().entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, entry -> canonical(entry.getValue())));
            default -> value;
        };
    }

    static BigDecimal number(String text) {
        BigDecimal number = new BigDecimal(text);
        return number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    }
}
