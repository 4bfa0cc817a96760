package io.dynamolock.spring;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ObjectUtils;

/**
 * The texts of the keys that a key expression gives: of a collection or an array, that of each element. Bytes and characters are one
 * value, such as a hash or a password, which is no key.
 */
final class KeyValues {

    private KeyValues() {}

    /** @throws IllegalArgumentException saying what cannot be a key, and what to write instead */
    static List<String> of(@Nullable Object value) {
        Collection<? extends @Nullable Object> elements = elements(value);
        if (elements == null) {
            return List.of(KeyRendering.render(value));
        }
        if (elements.isEmpty()) {
            throw new IllegalArgumentException(
                    "the key is an empty collection, so nothing would be locked. To run without a"
                            + " lock then, say so by a condition");
        }
        return keys(elements).distinct().toList();
    }

    private static @Nullable Collection<? extends @Nullable Object> elements(@Nullable Object value) {
        if (value instanceof Collection<?> collection
                && KeyComponent.of(collection.getClass()).isEmpty()) {
            return collection;
        }
        boolean isOneValue = value instanceof byte[] || value instanceof char[];
        return value != null && value.getClass().isArray() && !isOneValue
                ? Arrays.asList(ObjectUtils.toObjectArray(value))
                : null;
    }

    private static Stream<String> keys(Collection<? extends @Nullable Object> elements) {
        return elements.stream().map(KeyRendering::render);
    }
}
