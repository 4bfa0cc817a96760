package io.dynamolock.spring.internal.keys;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.expression.spel.support.StandardTypeComparator;

/** Compares a text with a number or a boolean by its value, because the value of a placeholder is a text. */
final class TextComparator extends StandardTypeComparator {

    @Override
    public boolean canCompare(@Nullable Object left, @Nullable Object right) {
        return super.canCompare(like(right, left), like(left, right));
    }

    @Override
    public int compare(@Nullable Object left, @Nullable Object right) {
        return super.compare(like(right, left), like(left, right));
    }

    /**
     * The value to compare: a text beside a number or a boolean is converted to that type.
     *
     * @throws IllegalArgumentException if the text cannot be converted; a comparison that is silently false would be
     *     hard to understand
     */
    private static @Nullable Object like(@Nullable Object other, @Nullable Object value) {
        boolean isText = value instanceof String && (other instanceof Number || other instanceof Boolean);
        Class<?> type = other instanceof Number ? BigDecimal.class : Boolean.class;
        return isText ? DefaultConversionService.getSharedInstance().convert(value, type) : value;
    }
}
