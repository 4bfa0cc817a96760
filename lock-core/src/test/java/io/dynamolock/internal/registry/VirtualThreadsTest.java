package io.dynamolock.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of virtual threads wait for locks on the few threads that carry them. */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "there are no virtual threads before 21")
class VirtualThreadsTest {

    private static final int CALLERS = 5_000;
    private static final String PINNED = "jdk.VirtualThreadPinned";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final LockRegistry locks =
            RegistryBuilder.of(new InMemoryLockStore()).build();

    @Test
    void thousandsThatAreBlockedInAcquirePinNoCarrier(@TempDir Path folder) throws Exception {
        Path events = folder.resolve("pinned.jfr");
        ExecutorService threads = onVirtualThreads();
        // So that all classes are there: what loads one pins its carrier.
        contend(threads, 50);
        try (Recording recording = new Recording()) {
            recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
            recording.start();
            contend(threads, CALLERS);
            recording.stop();
            recording.dump(events);
        } finally {
            threads.shutdownNow();
            locks.close();
        }

        assertThat(RecordingFile.readAllEvents(events))
                .filteredOn(event -> event.getEventType().getName().equals(PINNED))
                .filteredOn(VirtualThreadsTest::isOurs)
                .isEmpty();
    }

    private void contend(ExecutorService threads, int number) throws Exception {
        LockHandle handle = locks.acquire("order-17", PATIENCE);
        List<Future<Long>> callers = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            callers.add(threads.submit(() -> {
                try (LockHandle own = locks.acquire("order-17", PATIENCE)) {
                    return own.fencingToken();
                }
            }));
        }
        await().atMost(PATIENCE).until(() -> locks.admin().waiting() == number);
        // They could not all be waiting if each kept a carrier, and another one still gets through.
        assertThat(threads.submit(() -> locks.admin().held().size()).get(1, TimeUnit.MINUTES))
                .isOne();
        handle.close();
        for (Future<Long> caller : callers) {
            assertThat(caller.get(2, TimeUnit.MINUTES)).isPositive();
        }
    }

    /** Class loading pins now and then; that is not a wait for a lock. */
    private static boolean isOurs(RecordedEvent event) {
        return event.getStackTrace() != null
                && event.getStackTrace().getFrames().stream()
                        .anyMatch(frame -> frame.getMethod().getName().equals("awaitInterruptibly"));
    }

    /** The tests are compiled for 17. */
    private static ExecutorService onVirtualThreads() throws ReflectiveOperationException {
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }
}
