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
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.expression.ParseException;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.NullLiteral;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.expression.spel.support.StandardTypeConverter;

/** A key or a condition of one method: parsed once, evaluated at every call. */
final class MethodExpression {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    /** Texts of keys hold their numbers in the form that they have in a key alone. */
    private static final TypeConverter KEY_TEXTS = keyTexts();

    private final ResolvedExpression written;
    private final Method method;
    private final SpelExpression expression;

    /** What calls share: how methods, properties, types and beans are found, with what was found before. */
    private final StandardEvaluationContext shared = new StandardEvaluationContext();

    /** Where in the arguments each name is that an expression may give them. */
    private final Map<String, Integer> positions;

    /** Which argument it is, if it is no more than one; else -1. To evaluate such a thing costs far more than to take it. */
    private final int argument;

    private MethodExpression(
            ResolvedExpression written,
            Method method,
            SpelExpression expression,
            Map<String, Integer> positions,
            BeanFactory beans) {
        this.written = written;
        this.method = method;
        this.expression = expression;
        this.shared.setBeanResolver(new BeanFactoryResolver(beans));
        this.positions = positions;
        this.argument = expression.getAST() instanceof VariableReference variable
                ? positions.getOrDefault(variable.toStringAST().substring(1), -1)
                : -1;
    }

    private static TypeConverter keyTexts() {
        DefaultConversionService conversions = new DefaultConversionService();
        conversions.addConverter(Number.class, String.class, KeyRendering::render);
        return new StandardTypeConverter(conversions);
    }

    /**
     * @param condition which holds whenever this is evaluated; null if there is none
     * @throws InvalidDynamoLockedException if it is no expression, uses what there is not, or a key is made of what cannot be one
     */
    static MethodExpression parse(
            ResolvedExpression written,
            @Nullable MethodExpression condition,
            Method method,
            Class<?> targetClass,
            BeanFactory beans) {
        SpelNode tree = tree(written);
        Map<String, Integer> positions = positions(method);
        DeclaredTypes types = new DeclaredTypes(method, targetClass, positions, tree);
        SpelExpression expression = new SpelExpression(
                written.source(), written.bind((SpelNodeImpl) tree, types), new SpelParserConfiguration());
        MethodExpression parsed = new MethodExpression(written, method, expression, positions, beans);
        parsed.refuseUnknownParameters();
        parsed.refuseUnknownNames();
        parsed.refuseUnknownBeans(expression.getAST(), beans);
        if (condition != null) {
            types.forgetTestedOnes(condition.expression.getAST());
        }
        parsed.refuseWhatTypesDoNotHave(types);
        if (written.isKey()) {
            parsed.holdToTheRulesOfKeys(types);
        } else if (parsed.isConstant() && !(parsed.value(null, new Object[0]) instanceof Boolean)) {
            throw parsed.invalid(
                    "is the same for all calls, and neither true nor false.",
                    "Write condition = \"#amount > 0\". The value of a property is not read as an expression.");
        }
        return parsed;
    }

    private static SpelNode tree(ResolvedExpression written) {
        try {
            return PARSER.parseRaw(written.source()).getAST();
        } catch (ParseException | IllegalStateException e) {
            String remedy = written.isKey() ? KeyNames.advice(written.text()) : "Write condition = \"#amount > 0\".";
            // Not the whole message, which has the source in it, and that has values of properties.
            String problem =
                    e instanceof ParseException parse ? parse.getSimpleMessage() : String.valueOf(e.getMessage());
            throw written.invalid(
                    "is not an expression: " + problem + ".",
                    written.values().isEmpty()
                            ? remedy
                            : "A placeholder gives a value: join it, as in ${region} + ':' + #id, or put it into quotes, as"
                                    + " in '${region}:' + #id.",
                    e);
        }
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
                    "@DynamoLocked on " + written.methodName() + ", " + written.attribute() + " \"" + written.text()
                            + "\": " + String.valueOf(e.getMessage()).replace(KeyRoot.class.getName(), "#root"),
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
        return written.invalid(problem, remedy, null);
    }

    private void refuseUnknownBeans(SpelNode node, BeanFactory beans) {
        if (node instanceof BeanReference) {
            String name = node.toStringAST().replaceAll("[@']", "");
            if (!beans.containsBean(name)) {
                throw invalid(
                        "names the bean \"" + name + "\", which does not exist.",
                        "Name one that exists, or declare it.");
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            refuseUnknownBeans(node.getChild(i), beans);
        }
    }

    private void refuseWhatTypesDoNotHave(DeclaredTypes types) {
        types.missing(expression.getAST()).ifPresent(missing -> {
            boolean isRoot = missing.type() == KeyRoot.class;
            throw invalid(
                    "uses " + missing.name() + " of "
                            + (isRoot ? "#root" : "a " + missing.type().getTypeName()) + ", which does not have it.",
                    isRoot
                            ? "#root has method, methodName, target and args."
                            : "Write a property, a public field or a method that it has, or declare the parameter as the"
                                    + " type that has it.");
        });
    }

    private void holdToTheRulesOfKeys(DeclaredTypes types) {
        if (isConstant()) {
            try {
                KeyValues.of(value(null, new Object[0]));
            } catch (IllegalArgumentException e) {
                throw invalid("cannot be one: " + e.getMessage() + ".", "Write a text in quotes, or #parameter.");
            }
        }
        types.unusableAsKey(expression.getAST()).ifPresent(type -> refuse(expression.getAST(), type));
        KeyOperand.guard(expression.getAST(), operand -> {
            if (operand.node() instanceof NullLiteral) {
                throw invalid("has null in it.", "Leave it out.");
            }
            types.unusableIn(operand).ifPresent(type -> refuse(operand.node(), type));
        });
        shared.setTypeConverter(KEY_TEXTS);
    }

    private void refuse(SpelNode part, Class<?> type) {
        boolean isRoot = type == KeyRoot.class;
        throw invalid(
                "takes " + part.toStringAST()
                        + (isRoot ? ", which cannot be a key." : ": " + KeyRendering.refusal(type) + "."),
                isRoot ? "Take #root.methodName, or one of #root.args." : KeyRendering.advice(type) + ".");
    }

    /** They would be looked for in {@link KeyRoot} at every call, and not be found. */
    private void refuseUnknownNames() {
        KeyNames.unknown(expression.getAST()).ifPresent(name -> {
            throw invalid(
                    "names no parameter, bean, type or text: " + name + ".",
                    parameterNames(method).contains(name)
                            ? "A parameter is written with a hash: #" + name + "."
                            : written.isKey()
                                    ? KeyNames.advice(written.text())
                                    : "A text needs quotes of its own: " + written.attribute() + " = \"'" + name
                                            + "'\".");
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
            return "The method has no parameters: give it one, or write a text in quotes.";
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
