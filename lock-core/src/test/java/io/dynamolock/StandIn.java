package io.dynamolock;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Objects of an interface of which a test needs little. */
public final class StandIn {

    private StandIn() {}

    /** @param body of all methods of the interface, by the name and the arguments of the call */
    public static <T> T of(Class<T> type, BiFunction<String, Object[], @Nullable Object> body) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getDeclaringClass() == Object.class
                        ? ofObject(proxy, method.getName(), arguments)
                        : body.apply(method.getName(), arguments)));
    }

    /** Frameworks put the object into maps and print it. */
    private static Object ofObject(Object proxy, String method, Object[] arguments) {
        return switch (method) {
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "a stand-in";
        };
    }

    /** @param instead of what another object does; null for what that does */
    public static <T> T of(Class<T> type, Object other, BiFunction<String, Object[], @Nullable Object> instead) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object answer = instead.apply(method.getName(), arguments);
                    if (answer != null) {
                        return answer;
                    }
                    try {
                        return method.invoke(other, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
