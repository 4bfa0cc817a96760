package io.dynamolock.spring;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.NativeDetector;
import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.NullLiteral;
import org.springframework.expression.spel.ast.OpDivide;
import org.springframework.expression.spel.ast.OpMinus;
import org.springframework.expression.spel.ast.OpModulus;
import org.springframework.expression.spel.ast.OpMultiply;
import org.springframework.expression.spel.ast.OperatorInstanceof;
import org.springframework.expression.spel.ast.OperatorPower;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;
import org.springframework.util.ClassUtils;

/** What the declared types of a method's parameters say of an expression, before any call. Where they leave it open, nothing. */
final class DeclaredTypes {

    /** A property or a method that a declared type does not have. */
    record Missing(String name, Class<?> type) {}

    /** What they give is a number. */
    static final Set<Class<?>> CALCULATIONS =
            Set.of(OpMinus.class, OpMultiply.class, OpDivide.class, OpModulus.class, OperatorPower.class);

    /** Finds properties as it does when the expression is evaluated. */
    private static final class Properties extends ReflectivePropertyAccessor {

        static final Properties OF = new Properties();

        @Nullable
        ResolvableType type(ResolvableType owner, Class<?> type, String name) {
            Method getter = findGetterForProperty(name, type, false);
            if (getter != null) {
                return result(owner, type, getter.getName(), 0);
            }
            Field field = findField(name, type, false);
            return field == null ? null : ResolvableType.forField(field, owner);
        }
    }

    private final Map<String, ResolvableType> variables = new HashMap<>();

    /** @param positions which parameter each variable is */
    DeclaredTypes(Method method, Class<?> targetClass, Map<String, Integer> positions, SpelNode expression) {
        positions.forEach((name, position) -> variables.put(
                name,
                ResolvableType.forMethodParameter(
                        new MethodParameter(method, position).withContainingClass(targetClass))));
        variables.put("root", ResolvableType.forClass(KeyRoot.class));
        forgetTestedOnes(expression);
    }

    /** An author who asks for the type means another one than the declared one. */
    void forgetTestedOnes(SpelNode node) {
        if (node instanceof OperatorInstanceof test) {
            forget(test.getLeftOperand());
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            forgetTestedOnes(node.getChild(i));
        }
    }

    private void forget(SpelNode tested) {
        if (tested instanceof VariableReference variable) {
            variables.remove(name(variable));
        }
        for (int i = 0; i < tested.getChildCount(); i++) {
            forget(tested.getChild(i));
        }
    }

    /** In a native image types seem to have only what somebody has registered; it was checked when the image was built. */
    private static boolean isChecked() {
        return NativeDetector.inNativeImage();
    }

    /** An interface and an abstract class say what their classes have in common, which have more. */
    private static boolean isExtended(Class<?> type) {
        return Modifier.isAbstract(type.getModifiers()) && !type.isEnum();
    }

    /** The first thing in the expression that its type does not have. */
    Optional<Missing> missing(SpelNode node) {
        if (isChecked()) {
            return Optional.empty();
        }
        if (node instanceof CompoundExpression) {
            ResolvableType type = of(node.getChild(0));
            for (int i = 1; i < node.getChildCount(); i++) {
                ResolvableType next = step(type, node.getChild(i));
                if (next == null && !isExtended(type.toClass())) {
                    return Optional.of(new Missing(nameOf(node.getChild(i)), type.toClass()));
                }
                type = next == null ? ResolvableType.NONE : next;
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            Optional<Missing> inChild = missing(node.getChild(i));
            if (inChild.isPresent()) {
                return inChild;
            }
        }
        return Optional.empty();
    }

    /** The type of a value that can be no key, whatever the call. */
    Optional<Class<?>> unusableAsKey(SpelNode key) {
        ResolvableType type = of(key);
        Class<?> declared = type.resolve();
        if (declared == null || isChecked()) {
            return Optional.empty();
        }
        if (declared == byte[].class || declared == char[].class) {
            return Optional.of(declared);
        }
        if (declared.isArray()) {
            return unusable(type.getComponentType());
        }
        boolean isOpen = declared == Iterable.class;
        return Collection.class.isAssignableFrom(declared) && !KeyRendering.isUsable(declared)
                ? unusable(type.as(Collection.class).getGeneric())
                : unusable(isOpen ? ResolvableType.NONE : type);
    }

    /** The type of a value that can be no part of a key, whatever the call. */
    Optional<Class<?>> unusableIn(KeyOperand operand) {
        if (isChecked()) {
            return Optional.empty();
        }
        SpelNode node = operand.node();
        Class<?> type = of(node).toClass();
        boolean isUnordered = operand.needsOrder()
                && (isValuesOfMap(node) || KeyOperand.isUnordered(type) && !Modifier.isAbstract(type.getModifiers()));
        if (isUnordered
                || operand.takesSeveral()
                        && type.isArray()
                        && type.componentType().isPrimitive()) {
            return Optional.of(type);
        }
        if (operand.takesSeveral()) {
            return unusableAsKey(node).filter(unusable -> unusable != Locale.class);
        }
        return operand.takesAll() ? Optional.empty() : unusable(of(node));
    }

    /** They are declared as a collection, which may have an order; those of no map of the JDK are a list. */
    private boolean isValuesOfMap(SpelNode node) {
        int last = node.getChildCount() - 1;
        return node instanceof CompoundExpression
                && node.getChild(last) instanceof MethodReference call
                && call.getName().equals("values")
                && Map.class.isAssignableFrom(of(node, last).toClass());
    }

    /** What the value is when it is compared with another one; {@code Object} if that is open. */
    Class<?> comparable(SpelNode node) {
        if (node instanceof Literal literal && !(node instanceof NullLiteral)) {
            return Objects.requireNonNull(literal.getLiteralValue().getValue()).getClass();
        }
        return CALCULATIONS.contains(node.getClass())
                ? Number.class
                : ClassUtils.resolvePrimitiveIfNecessary(of(node).toClass());
    }

    private static Optional<Class<?>> unusable(ResolvableType type) {
        return Optional.<Class<?>>ofNullable(type.resolve()).filter(declared -> !KeyRendering.isUsable(declared));
    }

    /** None if it is open. */
    private ResolvableType of(SpelNode node) {
        if (node instanceof VariableReference variable) {
            return variables.getOrDefault(name(variable), ResolvableType.NONE);
        }
        return node instanceof CompoundExpression ? of(node, node.getChildCount()) : ResolvableType.NONE;
    }

    /** @param steps how many of the chain are taken */
    private ResolvableType of(SpelNode chain, int steps) {
        ResolvableType type = of(chain.getChild(0));
        for (int i = 1; i < steps; i++) {
            ResolvableType next = step(type, chain.getChild(i));
            type = next == null ? ResolvableType.NONE : next;
        }
        return type;
    }

    /** What stands behind the dot; null if the type does not have it. */
    private static @Nullable ResolvableType step(ResolvableType type, SpelNode node) {
        Class<?> known = known(type);
        if (known == null) {
            return ResolvableType.NONE;
        }
        if (node instanceof PropertyOrFieldReference property) {
            return property.getName().equals("class")
                    ? ResolvableType.NONE
                    : Properties.OF.type(type, known, property.getName());
        }
        return node instanceof MethodReference call
                ? result(type, known, call.getName(), call.getChildCount())
                : ResolvableType.NONE;
    }

    /** Null if there is no such method; open if there are several, if the call decides it, and if a bridge is all there is. */
    private static @Nullable ResolvableType result(ResolvableType owner, Class<?> type, String name, int arguments) {
        List<Method> named = Stream.concat(Arrays.stream(type.getMethods()), Arrays.stream(Object.class.getMethods()))
                .filter(method -> method.getName().equals(name))
                .toList();
        List<Method> fitting = named.stream()
                .filter(method -> method.getParameterCount() == arguments && !method.isBridge())
                .toList();
        if (named.isEmpty()) {
            return null;
        }
        boolean isOne =
                fitting.stream().map(Method::getGenericReturnType).distinct().count() == 1;
        Method first = isOne ? fitting.get(0) : null;
        return first == null || first.getTypeParameters().length > 0
                ? ResolvableType.NONE
                : ResolvableType.forType(first.getGenericReturnType(), owner.as(first.getDeclaringClass()));
    }

    /** Null where the expression language looks elsewhere than in the type itself, or the type says nothing. */
    private static @Nullable Class<?> known(ResolvableType type) {
        Class<?> known = type.resolve();
        boolean isOpen = known == null
                || known == Object.class
                || known == Class.class
                || known == Optional.class
                || hasSeveralBounds(type)
                || known.isArray()
                || known.isPrimitive();
        return isOpen ? null : known;
    }

    /** The first of them is all that is known then, and what it does not have another one may. */
    private static boolean hasSeveralBounds(ResolvableType type) {
        return type.getType() instanceof TypeVariable<?> variable && variable.getBounds().length > 1;
    }

    private static String nameOf(SpelNode node) {
        return node instanceof MethodReference call ? call.getName() + "()" : node.toStringAST();
    }

    private static String name(VariableReference variable) {
        return variable.toStringAST().substring(1);
    }
}
