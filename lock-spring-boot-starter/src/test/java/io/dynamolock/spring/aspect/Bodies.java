package io.dynamolock.spring.aspect;

import java.util.function.Supplier;

/** Bodies of locked methods. */
public final class Bodies {

    private Bodies() {}

    /** Of a method that must not be entered. */
    public static <T> Supplier<T> never() {
        return () -> {
            throw new AssertionError("the method was entered");
        };
    }

    public static <T> Supplier<T> failing(String message) {
        return () -> {
            throw new IllegalStateException(message);
        };
    }
}
