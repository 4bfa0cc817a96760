package io.dynamolock.spring.internal.declarations;

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

/** The values that skipped methods return. */
public final class SkippedResult {

    private static final Map<Class<?>, Object> NOTHING = Map.ofEntries(
            Map.entry(Optional.class, Optional.empty()),
            Map.entry(OptionalInt.class, OptionalInt.empty()),
            Map.entry(OptionalLong.class, OptionalLong.empty()),
            Map.entry(OptionalDouble.class, OptionalDouble.empty()),
            Map.entry(Collection.class, List.of()),
            Map.entry(List.class, List.of()),
            Map.entry(Set.class, Set.of()),
            Map.entry(Map.class, Map.of()));

    private SkippedResult() {}

    /** The empty value of the type; null if it has none. */
    public static @Nullable Object of(Class<?> returnType) {
        if (returnType.isArray()) {
            return Array.newInstance(returnType.getComponentType(), 0);
        }
        // A new array holds the zero of its type.
        return returnType.isPrimitive() && returnType != void.class
                ? Array.get(Array.newInstance(returnType, 1), 0)
                : NOTHING.get(returnType);
    }
}
