package io.dynamolock.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Other annotations on a locked method, which Spring's proxies serve: around the object, and so around a woven lock. */
final class SpringAround {

    private static final Set<String> NO_TRANSACTION = Set.of("NOT_SUPPORTED", "NEVER");

    /** By name, because these libraries need not be there. */
    private static final List<String> RETRIES = List.of(
            "org.springframework.resilience.annotation.Retryable",
            "org.springframework.retry.annotation.Retryable",
            "io.github.resilience4j.retry.annotation.Retry");

    private SpringAround() {}

    /** Whether a proxy may call the method in a transaction. Calls of private and static methods pass none. */
    static boolean isTransactional(Method method) {
        if ((method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC)) != 0) {
            return false;
        }
        return around(method)
                .flatMap(annotations -> Stream.of(
                        annotations
                                .get("org.springframework.transaction.annotation.Transactional")
                                .getValue("propagation"),
                        annotations.get("jakarta.transaction.Transactional").getValue("value")))
                .flatMap(Optional::stream)
                .findFirst()
                .filter(propagation -> !NO_TRANSACTION.contains(propagation.toString()))
                .isPresent();
    }

    static boolean isRetried(Method method) {
        return around(method).anyMatch(annotations -> RETRIES.stream().anyMatch(annotations::isPresent));
    }

    /** Those of the method count before those of its class. */
    private static Stream<MergedAnnotations> around(Method method) {
        return Stream.of(method, method.getDeclaringClass())
                .map(element -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY));
    }
}
