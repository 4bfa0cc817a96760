package io.dynamolock.test;

import java.util.Arrays;
import java.util.stream.Stream;
import org.springframework.boot.test.context.SpringBootTestContextBootstrapper;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Makes the context of a {@link DynamoLockTest}. */
final class DynamoLockTestContextBootstrapper extends SpringBootTestContextBootstrapper {

    DynamoLockTestContextBootstrapper() {}

    /**
     * The slice has no web application, even if the classes of one are there, and its locks are in memory. The property
     * is not declared by {@link AutoConfigureTestLocks}: before Spring 7, the {@code properties} of the slice would
     * take its place.
     */
    @Override
    protected String[] getProperties(Class<?> testClass) {
        DynamoLockTest slice = TestContextAnnotationUtils.findMergedAnnotation(testClass, DynamoLockTest.class);
        return Stream.concat(
                        Stream.of("spring.main.web-application-type=none", "dynamolock.store=memory"),
                        slice == null ? Stream.empty() : Arrays.stream(slice.properties()))
                .toArray(String[]::new);
    }
}
