package io.dynamolock.test;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.TypeFilterUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.filter.TypeFilter;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * The filters of a {@link DynamoLockTest}. Instead of Spring Boot's annotation for such filters, which lies in another
 * package in version 3. Contexts are shared by tests whose filters are equal.
 *
 * @param includesAll whether beans of the application that no filter includes are there, too
 */
record SliceFilters(boolean includesAll, List<Filter> include, List<Filter> exclude) implements ContextCustomizer {

    /** Found by {@code spring.factories}. */
    static final class Factory implements ContextCustomizerFactory {

        Factory() {}

        @Override
        public @Nullable ContextCustomizer createContextCustomizer(
                Class<?> testClass, List<ContextConfigurationAttributes> configuration) {
            DynamoLockTest slice = TestContextAnnotationUtils.findMergedAnnotation(testClass, DynamoLockTest.class);
            return slice == null
                    ? null
                    : new SliceFilters(
                            !slice.useDefaultFilters(),
                            List.of(slice.includeFilters()),
                            List.of(slice.excludeFilters()));
        }
    }

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        context.getBeanFactory()
                .registerSingleton(
                        DynamoLockTypeExcludeFilter.class.getName(),
                        new DynamoLockTypeExcludeFilter(
                                includesAll, filters(include, context), filters(exclude, context)));
    }

    private static List<TypeFilter> filters(List<Filter> declared, ConfigurableApplicationContext context) {
        return declared.stream()
                .map(filter -> MergedAnnotation.from(filter).asAnnotationAttributes())
                .flatMap(filter -> TypeFilterUtils.createTypeFiltersFor(
                        filter, context.getEnvironment(), context, (BeanDefinitionRegistry) context.getBeanFactory())
                        .stream())
                .toList();
    }
}
