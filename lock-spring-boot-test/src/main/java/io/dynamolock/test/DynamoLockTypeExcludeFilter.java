package io.dynamolock.test;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/** Leaves out the application's beans that a {@link DynamoLockTest} does not include. */
final class DynamoLockTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<DynamoLockTest> {

    DynamoLockTypeExcludeFilter(Class<?> testClass) {
        super(testClass);
    }
}
