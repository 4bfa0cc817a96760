package io.dynamolock.spring.internal.keys;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ReflectionUtils;

/** One component of a record, or of a data class of Kotlin. */
record KeyComponent(String name, Method accessor) {

    /** The components in the order of their declaration; empty if the type is neither a record nor a data class. */
    static List<KeyComponent> of(Class<?> type) {
        if (type.isRecord()) {
            return Arrays.stream(type.getRecordComponents())
                    .map(component -> new KeyComponent(component.getName(), component.getAccessor()))
                    .toList();
        }
        return KotlinDetector.isKotlinType(type) ? ofDataClass(type) : List.of();
    }

    /**
     * The first fields of a data class are the properties of its primary constructor, and each has a function
     * component1, component2 and so on. A class that does not match this pattern is no data class.
     */
    private static List<KeyComponent> ofDataClass(Class<?> type) {
        List<Field> fields = Arrays.stream(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .toList();
        List<KeyComponent> components = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            Method accessor = ValueClasses.find(type, "component" + (i + 1));
            if (accessor == null) {
                break;
            }
            if (accessor.getReturnType() != fields.get(i).getType()) {
                return List.of();
            }
            components.add(new KeyComponent(fields.get(i).getName(), accessor));
        }
        return components;
    }

    @Nullable
    Object read(Object owner) {
        ReflectionUtils.makeAccessible(accessor);
        return ReflectionUtils.invokeMethod(accessor, owner);
    }
}
