package io.dynamolock.spring.internal;

import java.lang.StackWalker.StackFrame;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.core.BridgeMethodResolver;

/**
 * A locked method that the aspect has entered.
 *
 * @param method the method of the bean's class
 * @param locks empty if the condition of the method was false
 */
public record EnteredMethod(Method method, List<CurrentHandle> locks) {

    /**
     * What Kotlin, in the first group, and AspectJ add to a method's name when they move its body into a static
     * one.
     */
    private static final Pattern MOVED = Pattern.compile("(\\$suspendImpl)$|_aroundBody\\d+(\\$advice)?$");

    /** Kotlin resumes a coroutine here. What is further outside on the stack belongs to others. */
    private static final String RESUMED = "kotlin.coroutines.jvm.internal.BaseContinuationImpl";

    /** The packages of libraries whose spies let a method call itself, to run its real body. */
    private static final List<String> SPIES = List.of("org.mockito.", "io.mockk.");

    /**
     * Whether the innermost frame runs the body of this method, or of the method that this one overrides, as the aspect
     * has called it: not in a call that the body makes to the same method, which has passed no aspect.
     *
     * @param stack from the inside outwards
     */
    public boolean isEnteredBy(Stream<StackFrame> stack) {
        Iterator<StackFrame> frames = stack.iterator();
        if (!frames.hasNext()) {
            return false;
        }
        StackFrame body = frames.next();
        if (!isRunBy(body)) {
            return false;
        }
        boolean isBySpy = false;
        while (frames.hasNext()) {
            StackFrame outer = frames.next();
            String type = outer.getClassName();
            if (type.equals(CurrentHandle.class.getName()) || type.equals(RESUMED)) {
                return true;
            }
            if (!isSame(outer, body)) {
                isBySpy |= SPIES.stream().anyMatch(type::startsWith);
            } else if (isBySpy) {
                isBySpy = false;
            } else {
                return false;
            }
        }
        return true;
    }

    private static boolean isSame(StackFrame one, StackFrame other) {
        return one.getDeclaringClass() == other.getDeclaringClass()
                && one.getMethodName().equals(other.getMethodName())
                && one.getDescriptor().equals(other.getDescriptor());
    }

    private boolean isRunBy(StackFrame frame) {
        Matcher moved = MOVED.matcher(frame.getMethodName());
        boolean isMoved = moved.find();
        String name = isMoved ? frame.getMethodName().substring(0, moved.start()) : frame.getMethodName();
        Class<?> type = frame.getDeclaringClass();
        if (!MethodNames.written(name).equals(MethodNames.written(method.getName()))
                || !type.isAssignableFrom(method.getDeclaringClass())) {
            return false;
        }
        boolean isByAspectJ = isMoved && moved.group(1) == null;
        if (isByAspectJ || Modifier.isStatic(method.getModifiers())) {
            return true;
        }
        List<Class<?>> parameters = frame.getMethodType().parameterList();
        // A body that Kotlin has moved takes the object first.
        List<Class<?>> written = isMoved ? parameters.subList(1, parameters.size()) : parameters;
        return type == method.getDeclaringClass()
                ? written.equals(Arrays.asList(method.getParameterTypes()))
                : isOverridden(type, name, written);
    }

    /** Whether this method overrides that one. The parameters may differ, because a superclass may be generic. */
    private boolean isOverridden(Class<?> type, String name, List<Class<?>> parameters) {
        if (!name.equals(method.getName())) {
            // Kotlin has added a hash to one of the names, because of a value class in the place of a type variable.
            return true;
        }
        try {
            Method overridden = type.getDeclaredMethod(name, parameters.toArray(Class<?>[]::new));
            return BridgeMethodResolver.getMostSpecificMethod(overridden, method.getDeclaringClass())
                    .equals(BridgeMethodResolver.findBridgedMethod(method));
        } catch (NoSuchMethodException | LinkageError unknown) {
            return true;
        }
    }
}
