package io.dynamolock.spring.internal.registry;

import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Finds the beans that run jobs of Quartz. By name, because Quartz is optional. */
final class QuartzSchedulers {

    private static final Set<String> TYPES =
            Set.of("org.quartz.Scheduler", "org.springframework.scheduling.quartz.SchedulerFactoryBean");

    private QuartzSchedulers() {}

    /**
     * Whether jobs may still run on this bean when the context stops. A stop only keeps further jobs from beginning:
     * the scheduler waits for its jobs, if it is to wait for them at all, when it is destroyed.
     */
    static boolean mayRunJobs(@Nullable Object bean) {
        return bean != null
                && Stream.concat(superclasses(bean.getClass()), Stream.of(ClassUtils.getAllInterfaces(bean)))
                        .anyMatch(type -> TYPES.contains(type.getName()));
    }

    private static Stream<Class<?>> superclasses(Class<?> type) {
        return Stream.<Class<?>>iterate(type, each -> each != null, Class::getSuperclass);
    }
}
