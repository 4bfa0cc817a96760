package io.dynamolock.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** A key or a condition of one method: parsed once, evaluated at every call. */
final class MethodExpression {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final String attribute;
    private final Method method;
    private final String methodName;
    private final SpelExpression expression;

    /** What calls share: how methods, properties, types and beans are found, with what was found before. */
    private final StandardEvaluationContext shared = new StandardEvaluationContext();

    /** Where in the arguments each name is that an expression may give them. */
    private final Map<String, Integer> positions;

    /** Which argument it is, if it is no more than one; else -1. To evaluate such a thing costs far more than to take it. */
    private final int argument;

    private MethodExpression(
            String attribute, Method method, String methodName, SpelExpression expression, BeanFactory beans) {
        this.attribute = attribute;
        this.method = method;
        this.methodName = methodName;
        this.expression = expression;
        this.shared.setBeanResolver(new BeanFactoryResolver(beans));
        this.positions = positions(method);
        this.argument = expression.getAST() instanceof VariableReference variable
                ? positions.getOrDefault(variable.toStringAST().substring(1), -1)
                : -1;
    }

    /**
     * @param attribute what of the annotation it is, for messages
     * @throws InvalidDynamoLockedException if it is no expression, or uses a parameter that the method does not have
     */
    static MethodExpression parse(String attribute, String text, Method method, String methodName, BeanFactory beans) {
        SpelExpression expression;
        try {
            expression = PARSER.parseRaw(text);
        } catch (ParseException | IllegalStateException e) {
            throw new InvalidDynamoLockedException(
                    methodName,
                    "the " + attribute + " \"" + text + "\" is not an expression: " + e.getMessage() + ".",
                    attribute.equals("key")
                            ? "A constant key needs quotes of its own: key = \"'nightly-report'\"."
                            : "Write " + attribute + " = \"#amount > 0\".",
                    e);
        }
        MethodExpression parsed = new MethodExpression(attribute, method, methodName, expression, beans);
        parsed.refuseUnknownParameters();
        parsed.refuseUnknownNames();
        return parsed;
    }

    /**
     * @param reading makes of the value what is wanted, and throws {@link IllegalArgumentException} where it cannot
     * @throws LockKeyException if there is no such value
     */
    <T> T evaluate(@Nullable Object target, @Nullable Object[] arguments, Function<@Nullable Object, T> reading) {
        try {
            return reading.apply(value(target, arguments));
        } catch (RuntimeException e) {
            throw new LockKeyException(
                    "@DynamoLocked on " + methodName + ", " + attribute + " \"" + expression.getExpressionString()
                            + "\": " + e.getMessage(),
                    e);
        }
    }

    private @Nullable Object value(@Nullable Object target, @Nullable Object[] arguments) {
        if (expression.getAST() instanceof Literal literal) {
            return literal.getLiteralValue().getValue();
        }
        if (argument >= 0) {
            return arguments[argument];
        }
        return expression.getValue(
                new CallContext(shared, positions, arguments, new KeyRoot(method, target, arguments)));
    }

    /** Whether all calls have the same value. */
    boolean isConstant() {
        return expression.getAST() instanceof Literal;
    }

    private void refuseUnknownParameters() {
        Set<String> used = new HashSet<>();
        collectVariables(expression.getAST(), used);
        used.removeAll(List.of("root", "this"));
        int handle = HandleParameter.indexIn(method);
        for (String name : used) {
            Integer position = positions.get(name);
            if (position == null) {
                throw invalid(
                        "uses #" + name + ", which is not a parameter of the method.",
                        parametersOf(parameterNames(method), method));
            }
            if (position == handle) {
                throw invalid("uses the LockHandle, which there is only when the lock is held.", "Leave it out.");
            }
        }
    }

    private InvalidDynamoLockedException invalid(String problem, String remedy) {
        return new InvalidDynamoLockedException(
                methodName,
                "the " + attribute + " \"" + expression.getExpressionString() + "\" " + problem,
                remedy,
                null);
    }

    /** They would be looked for in {@link KeyRoot} at every call, and not be found. */
    private void refuseUnknownNames() {
        KeyNames.unknown(expression.getAST()).ifPresent(name -> {
            String text = attribute.equals("key") ? expression.getExpressionString() : name;
            throw invalid(
                    "names no parameter, bean, type or text: " + name + ".",
                    parameterNames(method).contains(name)
                            ? "A parameter is written with a hash: #" + name + "."
                            : "A text needs quotes of its own: " + attribute + " = \"'" + text + "'\".");
        });
    }

    private static Map<String, Integer> positions(Method method) {
        Map<String, Integer> positions = new HashMap<>();
        List<String> names = parameterNames(method);
        for (int i = 0; i < method.getParameterCount(); i++) {
            positions.put("p" + i, i);
            positions.put("a" + i, i);
        }
        // Last, as the author's names come first. The continuation of a suspending function has none.
        for (int i = 0; i < names.size(); i++) {
            positions.put(names.get(i), i);
        }
        return Map.copyOf(positions);
    }

    /** Empty if they are not known. */
    private static List<String> parameterNames(Method method) {
        List<String> names = new ArrayList<>();
        @Nullable String @Nullable [] discovered = NAMES.getParameterNames(method);
        if (discovered != null) {
            for (String name : discovered) {
                if (name != null) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    private static String parametersOf(List<String> names, Method method) {
        if (method.getParameterCount() == 0) {
            return "It has none.";
        }
        return names.isEmpty()
                ? "The names of its parameters are not known: compile with -parameters, or write #p0."
                : "Its parameters are: " + String.join(", ", names) + ".";
    }

    private static void collectVariables(SpelNode node, Set<String> names) {
        if (node instanceof VariableReference variable) {
            names.add(variable.toStringAST().substring(1));
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            collectVariables(node.getChild(i), names);
        }
    }
}
