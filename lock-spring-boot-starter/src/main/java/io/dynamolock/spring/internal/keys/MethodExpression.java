package io.dynamolock.spring.internal.keys;

import io.dynamolock.internal.text.SafeFailure;
import io.dynamolock.internal.text.SafeText;
import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import io.dynamolock.spring.annotation.LockKeyException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** The key or the condition of one method: parsed and checked once, evaluated at every call. */
public final class MethodExpression {

    private static final SpelParserConfiguration CONFIGURATION = new SpelParserConfiguration();
    private static final SpelExpressionParser PARSER = new SpelExpressionParser(CONFIGURATION);
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    /** Variables that every expression has. */
    private static final Set<String> OF_LANGUAGE = Set.of("#root", "#this");
    /** Properties of {@link KeyRoot}. */
    private static final Set<String> OF_ROOT = Set.of("method", "methodName", "target", "args");

    private static final String QUOTES =
            "A text needs quotes of its own, and + joins it with values: 'customer:' + #id.";

    private final ResolvedExpression written;
    private final Method method;
    private final SpelExpression expression;

    /** Shared by all calls: the resolvers of methods, properties, types and beans, with their caches. */
    private final StandardEvaluationContext shared = new StandardEvaluationContext();

    /**
     * Index of the argument if the expression consists of nothing but a parameter; else -1. Reading the argument is far
     * cheaper than evaluating the expression.
     */
    private final int argumentIndex;

    private MethodExpression(ResolvedExpression written, Method method, SpelExpression expression, BeanFactory beans) {
        this.written = written;
        this.method = method;
        this.expression = expression;
        this.shared.setBeanResolver(new BeanFactoryResolver(beans));
        this.shared.setTypeComparator(new TextComparator());
        this.shared.addPropertyAccessor(new ValueClasses());
        this.argumentIndex =
                expression.getAST() instanceof VariableReference variable ? position(method, variable) : -1;
    }

    /**
     * Parses and checks an expression.
     *
     * @throws InvalidDynamoLockedException if the text is no expression, names an unknown parameter, or can never give
     *     a key
     */
    public static MethodExpression parse(
            ResolvedExpression written, Method method, Class<?> targetClass, BeanFactory beans) {
        SpelNode parsed = expression(written).getAST();
        refuseUnknownNames(written, method, parsed, true);
        refusePropertiesOfUnboxedValues(written, method, parsed);
        boolean isKey = written.attribute().equals("key");
        if (isKey) {
            refuseTextsThatTakeAnything(written, method, parsed);
        }
        SpelNodeImpl checked;
        try {
            checked = isKey ? ExpressionTree.ofKey(parsed) : ExpressionTree.ofCondition(parsed);
        } catch (NumberFormatException valueOfAProperty) {
            throw written.invalid(
                    "calculates with a text that is no number.", "Set the property in it to a number.", null);
        } catch (UnsupportedOperationException partCannotBeChanged) {
            throw written.invalid(
                    "calculates with a text or joins values inside an array, or beside matches, ++ or --, where that"
                            + " cannot be checked.",
                    "Calculate and join in a method of a bean, or take a record of the values.",
                    null);
        }
        SpelExpression expression = new SpelExpression(written.source(), checked, CONFIGURATION);
        MethodExpression made = new MethodExpression(written, method, expression, beans);
        if (isKey) {
            made.refuseUnusableParameter(targetClass);
        }
        return made;
    }

    private static SpelExpression expression(ResolvedExpression written) {
        try {
            return PARSER.parseRaw(written.source());
        } catch (ParseException | IllegalStateException e) {
            if (written.source().equals(written.text())) {
                throw written.invalid("is not an expression: " + e.getMessage() + ".", QUOTES, e);
            }
            // Without a cause: the message of the exception contains the values of properties.
            throw written.invalid(
                    "is not an expression.",
                    "A placeholder gives a value: join it, as in ${region} + ':' + #id, or put it into quotes, as in"
                            + " '${region}:' + #id.",
                    null);
        }
    }

    /**
     * Evaluates the expression for one call.
     *
     * @param reading converts the value, and throws {@link IllegalArgumentException} if it cannot
     * @throws LockKeyException if the expression cannot be evaluated or its value cannot be converted
     */
    public <T> T evaluate(
            @Nullable Object target, @Nullable Object[] arguments, Function<@Nullable Object, T> reading) {
        try {
            return reading.apply(value(target, arguments));
        } catch (RuntimeException e) {
            throw new LockKeyException(
                    "@DynamoLocked on " + written.methodName() + ", " + written.attribute() + " \"" + written.text()
                            + "\": "
                            + SafeText.clean(String.valueOf(e.getMessage()), SafeFailure.MOST)
                                    .replace(KeyRoot.class.getName(), "#root"),
                    e);
        }
    }

    private @Nullable Object value(@Nullable Object target, @Nullable Object[] arguments) {
        if (expression.getAST() instanceof Literal literal) {
            return literal.getLiteralValue().getValue();
        }
        if (argumentIndex >= 0) {
            return arguments[argumentIndex];
        }
        KeyRoot root = new KeyRoot(method, target, arguments);
        StandardEvaluationContext context = new MethodBasedEvaluationContext(root, method, arguments, NAMES);
        shared.applyDelegatesTo(context);
        return expression.getValue(context);
    }

    /** Whether the value is the same for all calls. */
    public boolean isConstant() {
        return expression.getAST() instanceof Literal;
    }

    /**
     * @param isOfRoot whether a name without a hash means a property of {@link KeyRoot} here, not of the object before
     *     it in a chain or of an element in a projection
     */
    private static void refuseUnknownNames(ResolvedExpression written, Method method, SpelNode node, boolean isOfRoot) {
        List<String> parameters = parameterNames(method);
        if (node instanceof VariableReference variable
                && !OF_LANGUAGE.contains(node.toStringAST())
                && position(method, variable) < 0) {
            throw written.invalid(
                    "uses " + node.toStringAST() + ", which is not a parameter of the method.",
                    method.getParameterCount() == 0
                            ? "The method has no parameters: give it one, or write a text in quotes."
                            : parameters.isEmpty()
                                    ? "The names of its parameters are not known: compile with -parameters, or write #p0."
                                    : "Its parameters are: " + String.join(", ", parameters) + ".",
                    null);
        }
        if (isOfRoot && node instanceof PropertyOrFieldReference name && !OF_ROOT.contains(name.getName())) {
            throw written.invalid(
                    "names no parameter, bean, type or text: " + name.getName() + ".",
                    parameters.contains(name.getName())
                            ? "A parameter is written with a hash: #" + name.getName() + "."
                            : QUOTES,
                    null);
        }
        boolean isChain = node instanceof CompoundExpression;
        boolean hasNamesOfItsOwn = node instanceof Projection
                || node instanceof Selection
                || node instanceof Indexer
                || node instanceof InlineMap;
        for (int i = 0; i < node.getChildCount(); i++) {
            refuseUnknownNames(
                    written, method, node.getChild(i), isOfRoot && !hasNamesOfItsOwn && (i == 0 || !isChain));
        }
    }

    /**
     * Refuses a property of a parameter that the source of a function in Kotlin may have, by the value class of the
     * parameter, but that the value in it has not.
     */
    private static void refusePropertiesOfUnboxedValues(ResolvedExpression written, Method method, SpelNode node) {
        if (node instanceof CompoundExpression
                && KotlinDetector.isKotlinType(method.getDeclaringClass())
                && node.getChild(0) instanceof VariableReference variable
                && node.getChild(1) instanceof PropertyOrFieldReference property
                && position(method, variable) >= 0) {
            Class<?> type = method.getParameterTypes()[position(method, variable)];
            if (Modifier.isFinal(type.getModifiers())
                    && !type.isArray()
                    && !ValueClasses.hasProperty(type, property.getName())) {
                throw written.invalid(
                        "reads " + property.getName() + " of " + variable.toStringAST() + ", but a "
                                + type.getSimpleName() + " has no such property.",
                        "If the type of the parameter is a value class of Kotlin, it is the value in it at run time:"
                                + " write " + variable.toStringAST() + ".",
                        null);
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            refusePropertiesOfUnboxedValues(written, method, node.getChild(i));
        }
    }

    /**
     * Refuses calls of String.format and the like. They write an object as its {@code toString} says and the elements
     * of a set in any order, and most of them write null as a text.
     */
    private static void refuseTextsThatTakeAnything(ResolvedExpression written, Method method, SpelNode node) {
        for (int i = 0; i < node.getChildCount(); i++) {
            SpelNode child = node.getChild(i);
            if (child instanceof MethodReference call) {
                boolean isStep = node instanceof CompoundExpression && i > 0;
                Receiver receiver = isStep ? Receiver.of(node.getChild(i - 1), i == 1, method) : Receiver.UNKNOWN;
                if (takesAnything(receiver, call)) {
                    throw written.invalid(
                            "calls String." + call.getName() + ", which makes a text of anything"
                                    + (call.getName().equals("concat") ? "." : ", also of null."),
                            "Join the parts by +, or take a record of them.",
                            null);
                }
            }
            refuseTextsThatTakeAnything(written, method, child);
        }
    }

    private static boolean takesAnything(Receiver receiver, MethodReference call) {
        boolean mayBeText = receiver == Receiver.TEXT || receiver == Receiver.UNKNOWN;
        return switch (call.getName()) {
            case "format", "join" -> receiver == Receiver.TYPE_STRING || receiver == Receiver.TEXT;
            case "formatted" -> receiver == Receiver.TEXT || mayBeText && call.getChildCount() > 0;
            case "concat" -> mayBeText && call.getChildCount() == 1;
            default -> false;
        };
    }

    /** The kind of object on which an expression calls a method, as far as the text of the expression tells. */
    private enum Receiver {
        TYPE_STRING,
        TEXT,
        UNKNOWN,
        /** A bean, another type, or a parameter that cannot be a text: the application's own methods, not String's. */
        NO_TEXT;

        static Receiver of(SpelNode node, boolean isFirst, Method method) {
            if (node.toStringAST().matches("T\\((java\\.lang\\.)?String\\)")) {
                return TYPE_STRING;
            }
            if (node instanceof StringLiteral || node instanceof OpPlus) {
                return TEXT;
            }
            boolean isBeanOrType = node instanceof BeanReference || node instanceof TypeReference;
            int parameter = isFirst && node instanceof VariableReference variable ? position(method, variable) : -1;
            boolean isOtherParameter =
                    parameter >= 0 && !method.getParameterTypes()[parameter].isAssignableFrom(String.class);
            return isBeanOrType || isOtherParameter ? NO_TEXT : UNKNOWN;
        }
    }

    private void refuseUnusableParameter(Class<?> targetClass) {
        Class<?> type = argumentIndex < 0
                ? Object.class
                : ResolvableType.forMethodParameter(method, argumentIndex, targetClass)
                        .toClass();
        if (!KeyRendering.isUsable(type)) {
            String parameter = expression.getAST().toStringAST();
            throw written.invalid(
                    "takes " + parameter + ": " + KeyRendering.refusal(type) + ".",
                    KeyRendering.advice(type) + ".",
                    null);
        }
    }

    /** Index of the parameter to which Spring's evaluation context resolves the variable; -1 if there is none. */
    private static int position(Method method, VariableReference variable) {
        String name = variable.toStringAST().substring(1);
        List<String> names = parameterNames(method);
        return IntStream.range(0, method.getParameterCount())
                .filter(i -> name.matches("[pa]" + i) || i < names.size() && name.equals(names.get(i)))
                .max()
                .orElse(-1);
    }

    /** Empty if the names are not known. The continuation of a suspending function has no name. */
    private static List<String> parameterNames(Method method) {
        @Nullable String @Nullable [] names = NAMES.getParameterNames(method);
        return Stream.ofNullable(names)
                .flatMap(Arrays::stream)
                .map(String::valueOf)
                .toList();
    }
}
