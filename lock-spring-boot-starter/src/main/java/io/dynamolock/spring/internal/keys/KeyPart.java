package io.dynamolock.spring.internal.keys;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.util.ObjectUtils;

/**
 * A value that a key joins to other values by {@code +}. The rules for a whole key apply to each part, too. The
 * expression language alone would turn null into the text {@code null}, and an object into the result of its {@code
 * toString}.
 */
final class KeyPart extends SpelNodeImpl {

    private final SpelNodeImpl value;

    /** Whether null and the empty text are passed on unchecked, for the Elvis operator that replaces them. */
    private final boolean mayBeMissing;

    KeyPart(SpelNodeImpl value, boolean mayBeMissing) {
        super(value.getStartPosition(), value.getEndPosition(), value);
        this.value = value;
        this.mayBeMissing = mayBeMissing;
    }

    /** @throws IllegalArgumentException if the value cannot be a part of a key */
    @Override
    public TypedValue getValueInternal(ExpressionState state) {
        Object given = value.getValueInternal(state).getValue();
        if (value instanceof OpPlus && given instanceof String) {
            // The inner + has checked its own parts already. They may be literals, so the joined text may be blank.
            return new TypedValue(given);
        }
        if (!mayBeMissing) {
            return new TypedValue(part(given));
        }
        Object found = ObjectUtils.unwrapOptional(given);
        return new TypedValue(found == null || found.equals("") ? found : part(found));
    }

    /** The value as a text. A number stays a number, but one that prints that text, because {@code +} adds numbers. */
    private Object part(@Nullable Object given) {
        String text = KeyRendering.render(value.toStringAST(), given);
        if (given instanceof Number number) {
            return text.equals(number.toString()) ? number : new BigDecimal(text);
        }
        return text;
    }

    @Override
    public String toStringAST() {
        return value.toStringAST();
    }
}
