package io.dynamolock.spring.internal.declarations;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/** The types of streams that Spring can convert to a publisher and back. */
public final class StreamTypes {

    private StreamTypes() {}

    public static boolean isKnown(Class<?> type) {
        return nearest(type) == type;
    }

    /** The known type that equals this type or is its nearest supertype; null if there is none. */
    static @Nullable Class<?> nearest(Class<?> type) {
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
        return adapter == null ? null : adapter.getReactiveType();
    }

    /** Whether such a stream may end without an element. */
    static boolean mayBeEmpty(Class<?> type) {
        return adapter(type).supportsEmpty();
    }

    /** @param type a known type */
    public static ReactiveAdapter adapter(Class<?> type) {
        return Objects.requireNonNull(
                ReactiveAdapterRegistry.getSharedInstance().getAdapter(type));
    }
}
