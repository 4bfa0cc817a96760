package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.DynamoLocked;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/**
 * What a locked call allocates more than its lock does. All of it on the calling thread, whose allocations are counted: before the second
 * compiler, which takes some away. JMH measures what is left.
 */
class AspectAllocationTest {

    private static final int CALLS = 500;
    private static final int ROUNDS = 7;
    private static final LockRequest FIXED =
            LockRequest.of("fixed").name("Work.fixed").waitForever();

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final LockRegistry locks =
            RegistryBuilder.of(new InMemoryLockStore()).build();

    @AutoClose
    private final AspectContext context = new AspectContext(locks, Work.class);

    private final Work work = context.bean(Work.class);

    static class Work {

        @DynamoLocked(key = "'fixed'")
        public void fixed(String customer) {}

        @DynamoLocked(key = "#customer")
        public void byParameter(String customer) {}

        @DynamoLocked(key = "'customer:' + #customer")
        public void byExpression(String customer) {}
    }

    @Test
    void theAspectAddsFewObjectsToALockCall() {
        assertThat(added(() -> work.fixed("4711")))
                .as("bytes, of a constant key")
                .isLessThanOrEqualTo(2_400);
        assertThat(added(() -> work.byParameter("4711")))
                .as("bytes, of a parameter")
                .isLessThanOrEqualTo(3_680);
        assertThat(added(() -> work.byExpression("4711")))
                .as("bytes, of an expression")
                .isLessThanOrEqualTo(4_576);
    }

    @Test
    void aClassWithoutLocksIsLookedAtOnce() {
        LockedMethods methods =
                new LockedMethods(new LockedMethodReader(new DefaultListableBeanFactory(), () -> Duration.ZERO));
        assertThat(bytes(() -> methods.existIn(AspectAllocationTest.class))).isLessThanOrEqualTo(400);
    }

    /** To one call. The median, because compilers move what is allocated, and a caller that has to wait for a thread allocates more. */
    private long added(Runnable call) {
        long[] rounds = new long[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long without = bytes(() -> locks.acquire(FIXED).close());
            rounds[round] = bytes(call) - without;
        }
        Arrays.sort(rounds);
        return rounds[ROUNDS / 2];
    }

    private long bytes(Runnable call) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < CALLS; i++) {
            call.run();
        }
        return (threads.getCurrentThreadAllocatedBytes() - before) / CALLS;
    }
}
