package io.dynamolock.test;

import java.util.function.Consumer;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/**
 * {@linkplain TestLocks#reset() Resets} the locks of a test when it is over, and refuses a test that begins while
 * another one uses the same locks.
 */
final class TestLocksReset implements TestExecutionListener {

    TestLocksReset() {}

    @Override
    public void beforeTestMethod(TestContext test) {
        ofContext(test, locks -> locks.begin(running(test)));
    }

    @Override
    public void afterTestMethod(TestContext test) {
        ofContext(test, locks -> locks.end(running(test)));
    }

    private static TestLocks.RunningTest running(TestContext test) {
        return new TestLocks.RunningTest(
                test.getTestInstance(),
                test.getTestClass().getSimpleName() + "." + test.getTestMethod().getName());
    }

    private static void ofContext(TestContext test, Consumer<TestLocks> action) {
        // Without this check, a context that could not be loaded would be loaded once more.
        if (test.hasApplicationContext()) {
            test.getApplicationContext().getBeanProvider(TestLocks.class).ifUnique(action);
        }
    }
}
