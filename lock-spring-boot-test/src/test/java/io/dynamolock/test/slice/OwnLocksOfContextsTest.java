package io.dynamolock.test.slice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.test.DynamoLockTest;
import io.dynamolock.test.TestLocks;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestContextManager;

/** Test classes side by side, with the same keys. */
@Timeout(120)
class OwnLocksOfContextsTest {

    /** What a runner of tests does around the test of a class. */
    private static <T extends UsesLocks> T run(T test, CyclicBarrier both) throws Exception {
        TestContextManager manager = new TestContextManager(test.getClass());
        manager.beforeTestClass();
        manager.prepareTestInstance(test);
        manager.beforeTestMethod(test, UsesLocks.class.getDeclaredMethod("test", CyclicBarrier.class));
        test.test(both);
        manager.afterTestMethod(test, UsesLocks.class.getDeclaredMethod("test", CyclicBarrier.class), null);
        both.await(60, TimeUnit.SECONDS);
        manager.afterTestClass();
        return test;
    }

    @Test
    void classesWithContextsOfTheirOwnDoNotMeetInTheirLocks() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        One one = new One();
        Another another = new Another();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Future<UsesLocks>> runs =
                    List.of(threads.submit(() -> run(one, both)), threads.submit(() -> run(another, both)));

            assertThat(runs).allSatisfy(run -> assertThat(run).succeedsWithin(60, TimeUnit.SECONDS));
        } finally {
            threads.shutdown();
        }
        assertThat(one.locks).isNotSameAs(another.locks);
    }

    @Test
    void classesWithTheSameContextShareLocksThatAreResetForEach() throws Exception {
        CyclicBarrier alone = new CyclicBarrier(1);
        One first = run(new One(), alone);
        assertThat(first.handle.isValid()).isFalse();

        One second = run(new One(), alone);

        assertThat(second.locks).isSameAs(first.locks);
    }

    @Test
    void aTestThatBeginsWhileAnotherUsesItsLocksIsToldSo() throws Exception {
        Method method = UsesLocks.class.getDeclaredMethod("test", CyclicBarrier.class);
        One first = new One();
        One second = new One();
        TestContextManager ofFirst = new TestContextManager(One.class);
        TestContextManager ofSecond = new TestContextManager(One.class);
        ofFirst.prepareTestInstance(first);
        ofSecond.prepareTestInstance(second);
        ofFirst.beforeTestMethod(first, method);
        first.locks.occupy("a");

        assertThatThrownBy(() -> ofSecond.beforeTestMethod(second, method))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("One.test begins while One.test runs. Tests run in parallel");
        ofSecond.afterTestMethod(second, method, null);
        assertThat(first.registry.tryAcquire("a")).as("not reset").isEmpty();
        ofFirst.afterTestMethod(first, method, null);

        ofSecond.beforeTestMethod(second, method);
        assertThat(second.registry.tryAcquire("a")).isPresent();
        ofSecond.afterTestMethod(second, method, null);
    }

    abstract static class UsesLocks {

        @Autowired
        TestLocks locks;

        @Autowired
        LockRegistry registry;

        LockHandle handle;

        void test(CyclicBarrier both) throws Exception {
            assertThat(locks.grants()).isEmpty();
            both.await(60, TimeUnit.SECONDS);
            handle = registry.acquire("a", Duration.ZERO);
            both.await(60, TimeUnit.SECONDS);
            assertThat(locks.grants()).hasSize(1);
            locks.occupy("b");
            locks.refuseStore();
            both.await(60, TimeUnit.SECONDS);
        }
    }

    @DynamoLockTest(properties = "context=one")
    static class One extends UsesLocks {}

    @DynamoLockTest(properties = "context=another")
    static class Another extends UsesLocks {}
}
