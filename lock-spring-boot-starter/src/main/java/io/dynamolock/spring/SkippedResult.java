package io.dynamolock.spring;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What a method that was skipped returns. */
final class SkippedResult {

    private static final Map<Class<?>, Object> NOTHING = Map.ofEntries(
            Map.entry(Optional.class, Optional.empty()),
            Map.entry(OptionalInt.class, OptionalInt.empty()),
            Map.entry(OptionalLong.class, OptionalLong.empty()),
            Map.entry(OptionalDouble.class, OptionalDouble.empty()),
            Map.entry(boolean.class, false),
            Map.entry(char.class, '\0'),
            Map.entry(byte.class, (byte) 0),
            Map.entry(short.class, (short) 0),
            Map.entry(int.class, 0),
            Map.entry(long.class, 0L),
            Map.entry(float.class, 0f),
            Map.entry(double.class, 0d));

    private SkippedResult() {}

    static @Nullable Object of(Class<?> returnType) {
        return NOTHING.get(returnType);
    }
}
