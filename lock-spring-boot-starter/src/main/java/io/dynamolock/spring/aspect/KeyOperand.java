package io.dynamolock.spring.aspect;

import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
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
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.util.ReflectionUtils;

/**
 * A part of an expression whose value becomes a part of a key's text. It is held to the rules of a key by itself: the expression
 * language would make the text {@code null} of null, and of an object whatever its {@code toString} says.
 */
final class KeyOperand extends SpelNodeImpl {

    /** What takes values into a text, and in which form it can take them. */
    private enum Into {
        /** Numbers stay numbers, as two of them are added. */
        SUM,
        TEXT,
        /** The author wrote {@code ?.}, and so thought of null. */
        TEXT_OR_NULL,
        /** The elements of which become those of a list in a text. */
        ORDERED,
        /** A pattern may ask for the number or the time itself. */
        FORMAT,
        /** May be given all of its values at once. */
        JOIN
    }

    /** Nodes can be made, but not exchanged, and a node does not know for what its value is used. */
    private static final Field CHILDREN =
            Objects.requireNonNull(ReflectionUtils.findField(SpelNodeImpl.class, "children"));

    static {
        ReflectionUtils.makeAccessible(CHILDREN);
    }

    private static final Set<String> TYPE_OF_TEXT = Set.of("T(String)", "T(java.lang.String)");

    private final SpelNodeImpl operand;
    private final SpelNode whole;
    private final Into into;

    /** @param whole the operand with all that it is called on */
    private KeyOperand(SpelNodeImpl operand, SpelNode whole, Into into) {
        super(operand.getStartPosition(), operand.getEndPosition(), operand);
        this.operand = operand;
        this.whole = whole;
        this.into = into;
    }

    /**
     * Puts one around each value that the key takes into a text. What the author wrote as a literal is no such value.
     *
     * @param check is given each of them
     */
    static void guard(SpelNode key, Consumer<KeyOperand> check) {
        guard(key, null, check);
    }

    /** @param before what stands before the node, as what a method is called on */
    private static void guard(SpelNode node, @Nullable SpelNode before, Consumer<KeyOperand> check) {
        if (node instanceof Indexer) {
            // It finds a value, and is no part of it.
            return;
        }
        Into into = into(node, before);
        for (int i = 0; i < node.getChildCount(); i++) {
            guard(node.getChild(i), i == 0 ? null : node.getChild(i - 1), check);
        }
        for (int i = 0; into != null && i < node.getChildCount(); i++) {
            guardChild(node, i, into, check);
        }
        for (int i = 1; node instanceof CompoundExpression && i < node.getChildCount(); i++) {
            boolean isJoined = into(node.getChild(i), node.getChild(i - 1)) == Into.TEXT;
            if (isJoined && into(node.getChild(i - 1), i == 1 ? null : node.getChild(i - 2)) != Into.TEXT) {
                boolean mayBeNull = ((MethodReference) node.getChild(i)).isNullSafe();
                guardChild(node, i - 1, mayBeNull ? Into.TEXT_OR_NULL : Into.TEXT, check);
            }
        }
    }

    private static @Nullable Into into(SpelNode node, @Nullable SpelNode before) {
        if (node instanceof OpPlus && node.getChildCount() > 1) {
            return Into.SUM;
        }
        if (!(node instanceof MethodReference call) || before == null) {
            return null;
        }
        if (before instanceof TypeReference type) {
            boolean isOfText = TYPE_OF_TEXT.contains(type.toStringAST());
            return !isOfText
                    ? null
                    : switch (call.getName()) {
                        case "format" -> Into.FORMAT;
                        case "join" -> Into.JOIN;
                        default -> null;
                    };
        }
        // The methods of a bean are its own.
        return before instanceof BeanReference
                ? null
                : switch (call.getName()) {
                    case "concat" -> Into.TEXT;
                    case "formatted" -> Into.FORMAT;
                    default -> null;
                };
    }

    private static void guardChild(SpelNode node, int index, Into into, Consumer<KeyOperand> check) {
        SpelNodeImpl child = (SpelNodeImpl) node.getChild(index);
        if (child instanceof Ternary) {
            guardChild(child, 1, into, check);
            guardChild(child, 2, into, check);
            return;
        }
        for (int i = 1; into == Into.JOIN && child instanceof CompoundExpression && i < child.getChildCount(); i++) {
            if (child.getChild(i) instanceof Projection || child.getChild(i) instanceof Selection) {
                guardChild(child, i - 1, Into.ORDERED, check);
            }
        }
        if (!(child instanceof OpPlus) && (!(child instanceof Literal) || child instanceof NullLiteral)) {
            boolean isStep = node instanceof CompoundExpression && index > 0;
            SpelNode whole = !isStep
                    ? child
                    : new CompoundExpression(
                            child.getStartPosition(), child.getEndPosition(), Arrays.copyOf(children(node), index + 1));
            KeyOperand operand = new KeyOperand(child, whole, into);
            check.accept(operand);
            replace(node, index, operand);
        }
    }

    static void replace(SpelNode node, int index, SpelNodeImpl child) {
        if (node.getChild(index) != child) {
            children(node)[index] = child;
        }
    }

    SpelNode node() {
        return whole;
    }

    /** Whether the order of its elements becomes that of a text. */
    boolean needsOrder() {
        return into == Into.JOIN || into == Into.ORDERED;
    }

    static boolean isUnordered(Class<?> type) {
        return (Iterable.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type))
                && KeyComponent.of(type).isEmpty()
                && Stream.of(List.class, SortedSet.class, SortedMap.class).noneMatch(it -> it.isAssignableFrom(type));
    }

    /** Whether it is not itself a part of the text. */
    boolean takesAll() {
        return into == Into.ORDERED;
    }

    /** Whether a collection or an array is no mistake. */
    boolean takesSeveral() {
        return into == Into.JOIN || into == Into.FORMAT;
    }

    private static SpelNodeImpl[] children(SpelNode node) {
        return (SpelNodeImpl[]) Objects.requireNonNull(ReflectionUtils.getField(CHILDREN, node));
    }

    @Override
    public TypedValue getValueInternal(ExpressionState state) {
        TypedValue typed = operand.getValueInternal(state);
        Object value = typed.getValue();
        if (into == Into.TEXT_OR_NULL && value == null
                || into == Into.ORDERED && (value == null || !isUnordered(value.getClass()))) {
            return typed;
        }
        Object part = part(value);
        return part == value ? typed : new TypedValue(part);
    }

    /** @throws IllegalArgumentException saying what cannot be a part of a key, and what to write instead */
    private Object part(@Nullable Object value) {
        if (into == Into.JOIN && value instanceof Collection<?> elements && !isUnordered(value.getClass())) {
            return elements.stream().map(this::part).toList();
        }
        if (into == Into.JOIN && value instanceof Object[] elements) {
            return Arrays.stream(elements).map(this::part).toArray(CharSequence[]::new);
        }
        if (into == Into.FORMAT && value instanceof Object[] elements) {
            return Arrays.stream(elements).map(this::part).toArray();
        }
        if (into == Into.FORMAT && value instanceof Locale) {
            return value;
        }
        if (value instanceof String text && !text.isBlank()) {
            return text;
        }
        String text = text(value);
        if (value instanceof Number number) {
            return switch (into) {
                case SUM -> number;
                case FORMAT -> text.equals(number.toString()) ? number : new BigDecimal(text);
                default -> text;
            };
        }
        return into == Into.FORMAT && text.equals(String.valueOf(value)) ? Objects.requireNonNull(value) : text;
    }

    private String text(@Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException(whole.toStringAST() + " is null");
        }
        if (value instanceof CharSequence text && text.toString().isBlank()) {
            if (isFallback(operand, value)) {
                return text.toString();
            }
            throw new IllegalArgumentException(whole.toStringAST() + " is blank");
        }
        try {
            return KeyRendering.render(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(whole.toStringAST() + ": " + e.getMessage(), e);
        }
    }

    /** Whether the author wrote that very text for want of a value, as in {@code #region ?: ''}. */
    private static boolean isFallback(SpelNode node, Object value) {
        return node instanceof Elvis
                ? isFallback(node.getChild(1), value)
                : node instanceof Literal literal
                        && value.equals(literal.getLiteralValue().getValue());
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
