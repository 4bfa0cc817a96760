package io.dynamolock.test;

import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** Makes the {@link TestLocks} of a test as new when it is over. */
final class TestLocksReset implements TestExecutionListener {

    TestLocksReset() {}

    @Override
    public void afterTestMethod(TestContext test) {
        // A context that could not be loaded must not be tried again.
        if (test.hasApplicationContext()) {
            ApplicationContext context = test.getApplicationContext();
            context.getBeanProvider(TestLocks.class).ifUnique(TestLocks::reset);
        }
    }
}
