package io.dynamolock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.dynamolock.DynamoLocks;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.store.memory.InMemoryLockStore;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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
            DynamoLocks.builder(new InMemoryLockStore()).build();
    private final AspectContext context = new AspectContext(locks, Work.class);
    private final Work work = context.bean(Work.class);

    @AfterEach
    void close() {
        context.close();
    }

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
        long withoutAspect = bytes(() -> locks.acquire(FIXED).close());
        assertThat(bytes(() -> work.fixed("4711")) - withoutAspect)
                .as("bytes, of a constant key")
                .isLessThanOrEqualTo(1_600);
        assertThat(bytes(() -> work.byParameter("4711")) - withoutAspect)
                .as("bytes, of a parameter")
                .isLessThanOrEqualTo(2_880);
        assertThat(bytes(() -> work.byExpression("4711")) - withoutAspect)
                .as("bytes, of an expression")
                .isLessThanOrEqualTo(3_776);
    }

    /** Of one call. The median, because compilers move what is allocated. */
    private long bytes(Runnable call) {
        long[] rounds = new long[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                call.run();
            }
            rounds[round] = (threads.getCurrentThreadAllocatedBytes() - before) / CALLS;
        }
        Arrays.sort(rounds);
        return rounds[ROUNDS / 2];
    }
}
