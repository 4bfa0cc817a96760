package io.dynamolock.test;

import java.util.Arrays;
import java.util.stream.Stream;
import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Makes the context of a {@link DynamoLockTest}. */
final class DynamoLockTestContextBootstrapper extends TestSliceTestContextBootstrapper<DynamoLockTest> {

    DynamoLockTestContextBootstrapper() {}

    /** The slice has no web application, even if the classes of one are there. */
    @Override
    protected String[] getProperties(Class<?> testClass) {
        String[] own = super.getProperties(testClass);
        return Stream.concat(
                        Stream.of("spring.main.web-application-type=none"),
                        own == null ? Stream.empty() : Arrays.stream(own))
                .toArray(String[]::new);
    }
}
