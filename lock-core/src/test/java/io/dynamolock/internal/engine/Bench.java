package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.process.PausableEngine;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Processes with engines on one table in memory, which they reach over a {@link Network}. All happens on the thread of
 * the test, by a virtual clock.
 */
public final class Bench {

    /** The lock that callers ask for where a test names no other. */
    public static final LockKey KEY = new LockKey("key", "default");

    public static final Duration LEASE = Duration.ofSeconds(20);
    public static final Duration CALL_TIMEOUT = Duration.ofSeconds(2);
    public static final int MAX_CALLS = 50;

    public final VirtualTime time = new VirtualTime();
    public final InMemoryLockStore table = new InMemoryLockStore();
    public final Network network = new Network(time, table);
    private final SplittableRandom random = new SplittableRandom(1);
    private final List<Process> processes = new ArrayList<>();
    private Duration lease = LEASE;
    private Duration callTimeout = CALL_TIMEOUT;
    private int maxCalls = MAX_CALLS;
    private int maxQueue = 200;
    private Duration retention = Duration.ofDays(7);

    // How processes are set up that are made from now on

    public void setLease(Duration lease) {
        this.lease = lease;
    }

    public Duration lease() {
        return lease;
    }

    public void setCallTimeout(Duration callTimeout) {
        this.callTimeout = callTimeout;
    }

    public void setMaxCalls(int maxCalls) {
        this.maxCalls = maxCalls;
    }

    public void setMaxQueue(int maxQueue) {
        this.maxQueue = maxQueue;
    }

    public void setRetention(Duration retention) {
        this.retention = retention;
    }

    // Processes

    /** Another process. Its machine hears what its listener is told. */
    public LockEngine process() {
        Machine machine = new Machine(time);
        return process(machine, machine);
    }

    /** Another process, whose listener the test brings. */
    public LockEngine process(EngineListener listener) {
        return process(new Machine(time), listener);
    }

    private LockEngine process(Machine machine, EngineListener listener) {
        Process process = new Process(machine);
        processes.add(process);
        EngineSettings settings = TestSettings.retaining(
                retention, TestSettings.of("process-" + processes.size(), lease, callTimeout, maxCalls, maxQueue));
        process.pausable = new PausableEngine(
                settings, network.anotherWay(), machine.loop, machine, random.split(), listener, process::engine);
        return process.pausable;
    }

    /**
     * Another process that has used {@link #KEY}: its session has begun, and the item exists. The lock must be free.
     */
    public LockEngine processThatHasUsedTheLock() {
        LockEngine process = process();
        release(grant(process));
        advanceMillis(100);
        forgetCallsAndEvents(process);
        return process;
    }

    /** Another process, whose session has begun for another lock: it has not used {@link #KEY}. */
    public LockEngine processWithSession() {
        LockEngine process = process();
        release(granted(process.acquire(exclusive(new LockKey("other", "default"), Duration.ofMinutes(1)))));
        forgetCallsAndEvents(process);
        return process;
    }

    private void forgetCallsAndEvents(LockEngine process) {
        machineOf(process).forgetEvents();
        network.resetCounts();
    }

    public Machine machineOf(LockEngine process) {
        return find(process).machine;
    }

    /** How many locks the engine of a process remembers. */
    int locksRememberedBy(LockEngine process) {
        return find(process).latest.locksInUse();
    }

    /** How many things the engine of a process remembers about locks that nobody wants there. */
    int rememberedOfIdleLocksBy(LockEngine process) {
        return find(process).latest.rememberedOfIdleLocks();
    }

    /** Whether the engine of a process knows of nobody ahead of its callers. */
    boolean waitsBehindNobody(LockEngine process) {
        return find(process).latest.waitsBehindNobody();
    }

    /** How many events that begin with these words the listener of a process was told. */
    public long countEvents(LockEngine process, String start) {
        return machineOf(process).countEvents(start);
    }

    private Process find(LockEngine wanted) {
        return processes.stream()
                .filter(process -> process.pausable == wanted)
                .findFirst()
                .orElseThrow();
    }

    /** Lets the process die that was made last, as by a power cut. */
    public void killLatestProcess() {
        processes.get(processes.size() - 1).machine.loop.die();
    }

    /** A process, as the bench knows it. */
    private static final class Process {

        private final Machine machine;

        /** Set once it is made, for which it needs this process. */
        private LockEngine pausable;

        /** The engine that was made last; another is made at the end of each pause. */
        private Engine latest;

        Process(Machine machine) {
            this.machine = machine;
        }

        Engine engine(Engine.Parts parts) {
            latest = Engine.of(parts);
            return latest;
        }
    }

    // What callers ask for

    public static AcquireSpec spec(Kind kind, Duration wait) {
        return Specs.as(kind, KEY)
                .permits(kind == Kind.PERMIT ? 100 : 0)
                .waiting(wait)
                .spec();
    }

    public static AcquireSpec exclusive(LockKey key, Duration wait) {
        return Specs.exclusive(key).waiting(wait).spec();
    }

    public static AcquireSpec exclusive(Duration wait) {
        return exclusive(KEY, wait);
    }

    public static AcquireSpec exclusive() {
        return exclusive(Duration.ofMinutes(1));
    }

    public static AcquireSpec waitingForever() {
        return exclusive(AcquireSpec.FOREVER);
    }

    // Steps of a test

    /** Lets a caller ask, and the time pass after which the next thing happens. */
    public Acquisition acquire(LockEngine process, AcquireSpec spec, long millis) {
        Acquisition acquisition = process.acquire(spec);
        advanceMillis(millis);
        return acquisition;
    }

    /** Lets a caller ask, and time enough pass for its call. */
    public Acquisition acquire(LockEngine process, AcquireSpec spec) {
        return acquire(process, spec, 100);
    }

    public Acquisition acquire(LockEngine process) {
        return acquire(process, exclusive());
    }

    /** Waits for the grant of an acquisition. */
    public Grant granted(Acquisition acquisition) {
        time.advanceUntil(acquisition.outcome()::isDone, Duration.ofMinutes(2));
        return Acquisitions.grant(acquisition);
    }

    /** Gets the lock for a caller of this process. */
    public Grant grant(LockEngine process) {
        return granted(process.acquire(exclusive()));
    }

    /** Releases the lock, and waits until that is done. */
    public void release(Grant grant) {
        CompletableFuture<Boolean> released = grant.release(null);
        time.advanceUntil(released::isDone, Duration.ofMinutes(1));
    }

    /** Waits for a result. */
    public <T> T await(CompletableFuture<T> result) {
        assertThat(time.advanceUntil(result::isDone, Duration.ofMinutes(2))).isTrue();
        return result.join();
    }

    public void advanceMillis(long millis) {
        time.advance(Duration.ofMillis(millis));
    }

    /** The entries in the queue of {@link #KEY}. */
    public List<Entry> queue() {
        return table.lock(KEY).queue();
    }
}
