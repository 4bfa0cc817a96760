package io.dynamolock.spring.internal.keys;

import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.NullLiteral;
import org.springframework.expression.spel.ast.OpDivide;
import org.springframework.expression.spel.ast.OpMinus;
import org.springframework.expression.spel.ast.OpModulus;
import org.springframework.expression.spel.ast.OpMultiply;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.OperatorPower;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A part of an expression whose value becomes a part of a key's text. It is held to the rules of a key by itself: the expression
 * language would make the text {@code null} of null, and of an object whatever its {@code toString} says.
 */
final class KeyOperand extends SpelNodeImpl {

    private static final Set<Class<?>> CALCULATIONS =
            Set.of(OpMinus.class, OpMultiply.class, OpDivide.class, OpModulus.class, OperatorPower.class);

    private final SpelNodeImpl operand;
    private final String name;

    /** Of the name and the value, what becomes a part of the key; throws {@link IllegalArgumentException} where it cannot. */
    private final BiFunction<String, @Nullable Object, @Nullable Object> rule;

    private KeyOperand(SpelNodeImpl operand, String name, BiFunction<String, @Nullable Object, @Nullable Object> rule) {
        super(operand.getStartPosition(), operand.getEndPosition(), operand);
        this.operand = operand;
        this.name = name;
        this.rule = rule;
    }

    /** Makes a number of each text with which one calculates: the value of a placeholder is a text. */
    static void guardNumbers(SpelNode node) {
        SpelNodeImpl[] children = children(node);
        for (int i = 0; i < children.length; i++) {
            guardNumbers(children[i]);
            if (children[i] instanceof StringLiteral text && CALCULATIONS.contains(node.getClass())) {
                children[i] = new KeyOperand(text, text.toStringAST(), (name, value) -> new BigDecimal("" + value));
            }
        }
    }

    /** Puts one around each value that the key takes into a text. What the author wrote as a literal is no such value. */
    static void guard(SpelNode node) {
        if (node instanceof Indexer) {
            // It finds a value, and is no part of it.
            return;
        }
        SpelNodeImpl[] children = children(node);
        Arrays.stream(children).forEach(KeyOperand::guard);
        if (node instanceof OpPlus) {
            guardAll(node, KeyOperand::summand);
        }
        for (int i = 1; node instanceof CompoundExpression && i < children.length; i++) {
            if (children[i] instanceof MethodReference call) {
                guardCall(call, node, i - 1);
            }
        }
    }

    private static void guardCall(MethodReference call, SpelNode chain, int before) {
        SpelNode receiver = chain.getChild(before);
        boolean isOfString = receiver.toStringAST().matches("T\\((java\\.lang\\.)?String\\)");
        // The methods of a bean are its own.
        String owner = isOfString ? "String." : receiver instanceof BeanReference ? "@" : "";
        switch (owner + call.getName()) {
            case "concat" -> {
                guard(
                        chain,
                        before,
                        (name, value) -> value == null && call.isNullSafe() ? null : KeyRendering.render(name, value));
                guardAll(call, KeyRendering::render);
            }
            case "formatted", "String.format" -> guardAll(call, KeyOperand::formatted);
            case "String.join" -> {
                Arrays.stream(children(call)).forEach(KeyOperand::guardOrder);
                guardAll(call, KeyOperand::joined);
            }
            default -> {}
        }
    }

    /** A projection makes a list of whatever it is given. */
    private static void guardOrder(SpelNode node) {
        for (int i = 1; node instanceof CompoundExpression && i < node.getChildCount(); i++) {
            if (node.getChild(i) instanceof Projection || node.getChild(i) instanceof Selection) {
                guard(node, i - 1, (name, value) -> hasOrder(value) ? value : KeyRendering.render(name, value));
            }
        }
    }

    private static void guardAll(SpelNode node, BiFunction<String, @Nullable Object, @Nullable Object> rule) {
        for (int i = 0; i < node.getChildCount(); i++) {
            guard(node, i, rule);
        }
    }

    private static void guard(SpelNode node, int index, BiFunction<String, @Nullable Object, @Nullable Object> rule) {
        SpelNodeImpl[] children = children(node);
        SpelNodeImpl child = children[index];
        if (child instanceof Ternary) {
            guard(child, 1, rule);
            guard(child, 2, rule);
        } else if (child instanceof Elvis) {
            // It finds out by itself that there is nothing.
            guard(child, 0, (name, value) -> {
                Object held = ObjectUtils.unwrapOptional(value);
                return held == null || held.equals("") ? value : rule.apply(name, held);
            });
            guard(child, 1, rule);
        } else if (!(child instanceof Literal) || child instanceof NullLiteral) {
            boolean isStep = node instanceof CompoundExpression && index > 0;
            SpelNode whole = isStep ? new CompoundExpression(0, 0, Arrays.copyOf(children, index + 1)) : child;
            // The text of a sum is made of parts that are guarded themselves.
            BiFunction<String, @Nullable Object, @Nullable Object> own = child instanceof OpPlus
                    ? (name, value) -> value instanceof String ? value : rule.apply(name, value)
                    : rule;
            children[index] = new KeyOperand(child, whole.toStringAST(), own);
        }
    }

    /** Nodes can be made, but not exchanged, and a node does not know for what its value is used. */
    private static SpelNodeImpl[] children(SpelNode node) {
        Field children = Objects.requireNonNull(ReflectionUtils.findField(SpelNodeImpl.class, "children"));
        ReflectionUtils.makeAccessible(children);
        return (SpelNodeImpl[]) Objects.requireNonNull(ReflectionUtils.getField(children, node));
    }

    /** Numbers stay numbers, as two of them are added. */
    private static Object summand(String name, @Nullable Object value) {
        String text = KeyRendering.render(name, value);
        if (value instanceof Number number) {
            return text.equals(number.toString()) ? number : new BigDecimal(text);
        }
        return text;
    }

    /** A pattern may ask for the number or the time itself. */
    private static @Nullable Object formatted(String name, @Nullable Object value) {
        if (value instanceof Object[] elements) {
            return Arrays.stream(elements).map(each -> formatted(name, each)).toArray();
        }
        if (value instanceof Locale) {
            return value;
        }
        Object part = summand(name, value);
        return part.equals(String.valueOf(value)) ? value : part;
    }

    /** May be given all of its values at once. */
    private static Object joined(String name, @Nullable Object value) {
        Object elements = value instanceof Object[] array ? Arrays.asList(array) : value;
        return elements instanceof Collection<?> several && hasOrder(several)
                ? several.stream().map(each -> KeyRendering.render(name, each)).toList()
                : KeyRendering.render(name, value);
    }

    private static boolean hasOrder(@Nullable Object value) {
        boolean isSorted = value instanceof SortedSet || value instanceof SortedMap;
        return value == null || ObjectUtils.isArray(value) || value instanceof List || isSorted;
    }

    @Override
    public TypedValue getValueInternal(ExpressionState state) {
        return new TypedValue(rule.apply(name, operand.getValueInternal(state).getValue()));
    }

    @Override
    public boolean isNullSafe() {
        return operand.isNullSafe();
    }

    @Override
    public String toStringAST() {
        return operand.toStringAST();
    }
}
