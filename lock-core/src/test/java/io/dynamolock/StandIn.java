package io.dynamolock;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Objects of an interface of which a test needs little. */
public final class StandIn {

    private StandIn() {}

    /** @param body of all methods, by the name and the arguments of the call */
    public static <T> T of(Class<T> type, BiFunction<String, Object[], @Nullable Object> body) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> body.apply(method.getName(), arguments)));
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
