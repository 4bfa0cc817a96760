package io.dynamolock.spring;

import java.lang.reflect.Method;
import java.util.List;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Other annotations on a locked method, which Spring's proxies serve: around the object, and so around a woven lock. */
final class SpringAround {

    /** By name, because these libraries need not be there. */
    private static final List<String> TRANSACTIONS =
            List.of("org.springframework.transaction.annotation.Transactional", "jakarta.transaction.Transactional");

    private static final List<String> RETRIES = List.of(
            "org.springframework.resilience.annotation.Retryable",
            "org.springframework.retry.annotation.Retryable",
            "io.github.resilience4j.retry.annotation.Retry");

    private SpringAround() {}

    static boolean isTransactional(Method method) {
        return hasOneOf(TRANSACTIONS, method);
    }

    static boolean isRetried(Method method) {
        return hasOneOf(RETRIES, method);
    }

    private static boolean hasOneOf(List<String> names, Method method) {
        MergedAnnotations ofMethod = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        MergedAnnotations ofClass = MergedAnnotations.from(method.getDeclaringClass(), SearchStrategy.TYPE_HIERARCHY);
        return names.stream().anyMatch(name -> ofMethod.isPresent(name) || ofClass.isPresent(name));
    }
}
