package io.dynamolock.lockingread;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Compares values as DynamoDB does: the spelling of a number and the order of a set make no difference. */
final class SameValue {

    private SameValue() {}

    /** Whether two attributes have the same value; two absent attributes are the same. */
    static boolean same(@Nullable AttributeValue one, @Nullable AttributeValue other) {
        return one == null ? other == null : other != null && canonical(one).equals(canonical(other));
    }

    /** An object that is equal for all spellings of a value. */
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

    /** A number in its canonical form, without trailing zeros. */
    static BigDecimal number(String text) {
        BigDecimal number = new BigDecimal(text);
        return number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    }
}
