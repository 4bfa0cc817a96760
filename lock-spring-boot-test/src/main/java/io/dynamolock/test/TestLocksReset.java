package io.dynamolock.test;

import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** {@linkplain TestLocks#reset() Resets} the locks of a test when it is over. */
final class TestLocksReset implements TestExecutionListener {

    TestLocksReset() {}

    @Override
    public void afterTestMethod(TestContext test) {
        // Without this check, a context that could not be loaded would be loaded once more.
        if (test.hasApplicationContext()) {
            ApplicationContext context = test.getApplicationContext();
            context.getBeanProvider(TestLocks.class).ifUnique(TestLocks::reset);
        }
    }
}
