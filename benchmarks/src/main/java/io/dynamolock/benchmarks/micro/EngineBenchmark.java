package io.dynamolock.benchmarks.micro;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/** The engine on the store in memory, which answers at once, so that only the engine's own time is measured. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class EngineBenchmark {

    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final String TAKEN = "taken";
    private static final String HELD = "held";

    private LockRegistry locks;
    private LockRegistry rival;
    private LockHandle heldByRival;
    private LockHandle heldHere;
    private final AtomicInteger threads = new AtomicInteger();

    /** Locks that were never taken before, in a store of their own that is emptied between the iterations. */
    @State(Scope.Thread)
    public static class NewKeys {

        private LockRegistry locks;
        private int used;

        @Setup(Level.Iteration)
        public void start() {
            locks = RegistryBuilder.of(new InMemoryLockStore()).build();
            used = 0;
        }

        @TearDown(Level.Iteration)
        public void stop() {
            locks.close();
        }

        private LockRequest next() {
            return LockRequest.of("new-" + used++).waitTime(WAIT);
        }
    }

    /** A key for each thread. */
    @State(Scope.Thread)
    public static class OwnKey {

        private String key;
        private LockRequest request;

        @Setup
        public void number(EngineBenchmark benchmark) {
            key = "own-" + benchmark.threads.incrementAndGet();
            request = LockRequest.of(key).waitTime(WAIT);
        }
    }

    @Setup
    public void start() {
        InMemoryLockStore store = new InMemoryLockStore();
        locks = RegistryBuilder.of(store).build();
        rival = RegistryBuilder.of(store).build();
        heldByRival = rival.acquire(TAKEN, WAIT);
        // Kept, because a handle that is garbage collected is released.
        heldHere = locks.acquire(HELD, WAIT);
    }

    @TearDown
    public void stop() {
        heldHere.close();
        heldByRival.close();
        rival.close();
        locks.close();
    }

    /** A free lock: an append and a removal, for which the caller waits. */
    @Benchmark
    public boolean acquireAndRelease(OwnKey own) {
        return locks.acquire(own.key, WAIT).release();
    }

    /** The caller goes on while its release is under way. */
    @Benchmark
    public boolean sectionUnderANewKey(NewKeys keys) {
        return keys.locks.withLock(keys.next(), LockHandle::isValid);
    }

    @Benchmark
    public boolean sectionUnderANewKeyAwaited(NewKeys keys) {
        return keys.locks.withLock(keys.next().awaitRelease(true), LockHandle::isValid);
    }

    @Benchmark
    public boolean sectionUnderTheSameKey(OwnKey own) {
        return locks.withLock(own.request, LockHandle::isValid);
    }

    @Benchmark
    public boolean sectionUnderTheSameKeyAwaited(OwnKey own) {
        return locks.withLock(own.request.awaitRelease(true), LockHandle::isValid);
    }

    @Benchmark
    @Threads(4)
    public boolean acquireAndReleaseOnFourKeys(OwnKey own) {
        return locks.acquire(own.key, WAIT).release();
    }

    /** The lock passes from waiter to waiter within a turn, and from turn to turn. */
    @Benchmark
    @Threads(4)
    public boolean fourThreadsPassALockOn() {
        return locks.acquire("hot", WAIT).release();
    }

    @Benchmark
    public boolean acquireAndReleaseAsynchronously(OwnKey own) {
        return locks.acquireAsync(LockRequest.of(own.key).waitTime(WAIT))
                .thenCompose(LockHandle::releaseAsync)
                .join();
    }

    /** A try that fails because another process holds the lock. */
    @Benchmark
    public Optional<LockHandle> tryWhatAnotherProcessHolds() {
        return locks.tryAcquire(TAKEN);
    }

    /** A try that fails because this process holds the lock; makes no call to the store. */
    @Benchmark
    public Optional<LockHandle> tryWhatThisProcessHolds() {
        return locks.tryAcquire(HELD);
    }

    /** The check that a section makes between its steps. */
    @Benchmark
    public boolean isValid() {
        return heldHere.isValid();
    }
}
