package io.dynamolock.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers of two processes who want random sets of the same few locks: all get them in the end, and none has one beside another. */
class OverlappingSetsTest {

    private static final int THREADS_OF_A_PROCESS = 4;
    private static final int SETS_OF_A_THREAD = 25;
    /** Long enough for a slow machine, and far shorter than for ever: a deadlock shows as a timeout. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final List<LockRequest> LOCKS = List.of(
            LockRequest.of("a"),
            LockRequest.of("b"),
            LockRequest.of("\uFFFD"),
            LockRequest.of("\uD83D\uDE00"),
            LockRequest.of("a").namespace("orders"),
            LockRequest.of("b").namespace("orders"));

    private final InMemoryLockStore table = new InMemoryLockStore();
    private final List<LockRegistry> processes = List.of(process("here"), process("there"));
    private final Map<LockRequest, AtomicInteger> holders = new ConcurrentHashMap<>();

    private LockRegistry process(String owner) {
        return RegistryBuilder.of(table)
                .owner(owner)
                .pollInterval(Duration.ofMillis(2), Duration.ofMillis(20))
                .build();
    }

    @AfterEach
    void close() {
        processes.forEach(LockRegistry::close);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void nobodyWaitsInACircleAndEveryLockIsHeldByOne(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        CountDownLatch begin = new CountDownLatch(1);
        List<TestThread<Integer>> callers = new ArrayList<>();
        for (LockRegistry process : processes) {
            for (int i = 0; i < THREADS_OF_A_PROCESS; i++) {
                SplittableRandom own = random.split();
                callers.add(TestThread.running(() -> {
                    begin.await();
                    return takeSets(process, own);
                }));
            }
        }
        begin.countDown();

        int most = 0;
        for (TestThread<Integer> caller : callers) {
            most = Math.max(most, caller.valueWithin(PATIENCE.multipliedBy(2)));
        }
        assertThat(most).as("holders of a lock at one time").isOne();
    }

    private int takeSets(LockRegistry process, SplittableRandom random) {
        int most = 0;
        for (int i = 0; i < SETS_OF_A_THREAD; i++) {
            List<LockRequest> wanted = someOf(random);
            List<LockHandle> handles = process.acquireAll(wanted);
            for (LockRequest lock : wanted) {
                most = Math.max(most, holdersOf(lock).incrementAndGet());
            }
            Thread.yield();
            wanted.forEach(lock -> holdersOf(lock).decrementAndGet());
            handles.forEach(LockHandle::close);
        }
        return most;
    }

    private AtomicInteger holdersOf(LockRequest lock) {
        return holders.computeIfAbsent(lock, absent -> new AtomicInteger());
    }

    /** Two to four of them in any order. */
    private static List<LockRequest> someOf(SplittableRandom random) {
        List<LockRequest> wanted = new ArrayList<>(LOCKS);
        for (int i = wanted.size() - 1; i > 0; i--) {
            Collections.swap(wanted, i, random.nextInt(i + 1));
        }
        return wanted.subList(0, random.nextInt(2, 5)).stream()
                .map(lock -> lock.wait(PATIENCE))
                .toList();
    }
}
