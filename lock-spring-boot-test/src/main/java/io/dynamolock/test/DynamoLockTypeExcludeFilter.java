package io.dynamolock.test;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.core.type.filter.TypeFilter;

/** Leaves out the application's beans that a {@link DynamoLockTest} does not include. */
final class DynamoLockTypeExcludeFilter extends TypeExcludeFilter {

    private final boolean includesAll;
    private final List<TypeFilter> include;
    private final List<TypeFilter> exclude;

    DynamoLockTypeExcludeFilter(boolean includesAll, List<TypeFilter> include, List<TypeFilter> exclude) {
        this.includesAll = includesAll;
        this.include = List.copyOf(include);
        this.exclude = List.copyOf(exclude);
    }

    @Override
    public boolean match(MetadataReader type, MetadataReaderFactory types) throws IOException {
        return !(includesAll || anyOf(include, type, types)) || anyOf(exclude, type, types);
    }

    private static boolean anyOf(List<TypeFilter> filters, MetadataReader type, MetadataReaderFactory types)
            throws IOException {
        for (TypeFilter filter : filters) {
            if (filter.match(type, types)) {
                return true;
            }
        }
        return false;
    }

    /** Overridden because the base class refuses to compare. Contexts are compared by {@link SliceFilters}. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
