package io.dynamolock.spring.internal;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A locked method that the aspect has entered.
 *
 * @param method the method of the bean's class
 * @param locks empty if the condition of the method was false
 */
public record EnteredMethod(Method method, List<CurrentHandle> locks) {

    /** What Kotlin and AspectJ add to the name of a method when they move its body into a static one. */
    private static final Pattern MOVED = Pattern.compile("\\$suspendImpl$|_aroundBody\\d+(\\$advice)?$");

    /** Whether the frame runs the body of this method, or of the method that this one overrides. */
    public boolean isRunBy(StackWalker.StackFrame frame) {
        String name = MOVED.matcher(frame.getMethodName()).replaceFirst("");
        Class<?> type = frame.getDeclaringClass();
        if (!MethodNames.written(name).equals(MethodNames.written(method.getName()))
                || !type.isAssignableFrom(method.getDeclaringClass())) {
            return false;
        }
        // A method that was moved, or is generic in a superclass, has other parameters.
        boolean hasSameParameters = type == method.getDeclaringClass() && name.equals(frame.getMethodName());
        return !hasSameParameters
                || Modifier.isStatic(method.getModifiers())
                || frame.getMethodType().parameterList().equals(Arrays.asList(method.getParameterTypes()));
    }
}
