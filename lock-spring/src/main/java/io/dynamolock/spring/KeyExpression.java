package io.dynamolock.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The key of one method: parsed once, evaluated at every call. */
final class KeyExpression {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final Method method;
    private final String methodName;
    private final SpelExpression expression;
    private final BeanFactory beans;

    private KeyExpression(Method method, String methodName, SpelExpression expression, BeanFactory beans) {
        this.method = method;
        this.methodName = methodName;
        this.expression = expression;
        this.beans = beans;
    }

    /**
     * @throws InvalidDynamoLockedException if it is no expression, or uses a parameter that the method does not have
     */
    static KeyExpression parse(String text, Method method, String methodName, BeanFactory beans) {
        SpelExpression expression;
        try {
            expression = PARSER.parseRaw(text);
        } catch (ParseException | IllegalStateException e) {
            throw new InvalidDynamoLockedException(
                    methodName,
                    "the key \"" + text + "\" is not an expression: " + e.getMessage() + ".",
                    "A constant key needs quotes of its own: key = \"'nightly-report'\".",
                    e);
        }
        refuseUnknownParameters(expression, method, methodName);
        refuseUnknownNames(expression, method, methodName);
        return new KeyExpression(method, methodName, expression, beans);
    }

    /** @throws LockKeyException if the value cannot be a key */
    String evaluate(@Nullable Object target, @Nullable Object[] arguments) {
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(new KeyRoot(method, target, arguments), method, arguments, NAMES);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        try {
            return KeyRendering.render(expression.getValue(context));
        } catch (RuntimeException e) {
            throw new LockKeyException(
                    "@DynamoLocked on " + methodName + ", key \"" + expression.getExpressionString() + "\": "
                            + e.getMessage(),
                    e);
        }
    }

    private static void refuseUnknownParameters(SpelExpression expression, Method method, String methodName) {
        Set<String> used = new HashSet<>();
        collectVariables(expression.getAST(), used);
        used.removeAll(List.of("root", "this"));
        List<String> names = parameterNames(method);
        names.forEach(used::remove);
        for (int i = 0; i < method.getParameterCount(); i++) {
            used.remove("p" + i);
            used.remove("a" + i);
        }
        for (String unknown : used) {
            throw new InvalidDynamoLockedException(
                    methodName,
                    "the key \"" + expression.getExpressionString() + "\" uses #" + unknown
                            + ", which is not a parameter of the method.",
                    parametersOf(names, method),
                    null);
        }
    }

    /** They would be looked for in {@link KeyRoot} at every call, and not be found. */
    private static void refuseUnknownNames(SpelExpression expression, Method method, String methodName) {
        KeyNames.unknown(expression.getAST()).ifPresent(name -> {
            String text = expression.getExpressionString();
            throw new InvalidDynamoLockedException(
                    methodName,
                    "the key \"" + text + "\" names no parameter, bean, type or text: " + name + ".",
                    parameterNames(method).contains(name)
                            ? "A parameter is written with a hash: #" + name + "."
                            : "A text needs quotes of its own: key = \"'" + text + "'\".",
                    null);
        });
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
