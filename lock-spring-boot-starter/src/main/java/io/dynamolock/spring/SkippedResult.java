package io.dynamolock.spring;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a method that was skipped returns. */
final class SkippedResult {

    private static final Map<Class<?>, Object> NOTHING = Map.ofEntries(
            Map.entry(Optional.class, Optional.empty()),
            Map.entry(OptionalInt.class, OptionalInt.empty()),
            Map.entry(OptionalLong.class, OptionalLong.empty()),
            Map.entry(OptionalDouble.class, OptionalDouble.empty()),
            Map.entry(Iterable.class, List.of()),
            Map.entry(Collection.class, List.of()),
            Map.entry(List.class, List.of()),
            Map.entry(Set.class, Set.of()),
            Map.entry(Map.class, Map.of()),
            Map.entry(boolean.class, false),
            Map.entry(char.class, '\0'),
            Map.entry(byte.class, (byte) 0),
            Map.entry(short.class, (short) 0),
            Map.entry(int.class, 0),
            Map.entry(long.class, 0L),
            Map.entry(float.class, 0f),
            Map.entry(double.class, 0d));

    private SkippedResult() {}

    /** Null where there is no better way to say nothing. */
    static @Nullable Object of(Class<?> returnType) {
        return returnType.isArray() ? Array.newInstance(returnType.getComponentType(), 0) : NOTHING.get(returnType);
    }
}
