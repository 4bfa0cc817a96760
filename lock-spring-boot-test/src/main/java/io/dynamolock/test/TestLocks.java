package io.dynamolock.test;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRegistryBuilder;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.testbed.LockTestbed;
import io.dynamolock.test.internal.GrantedLocks;
import io.dynamolock.test.internal.HeldLocks;
import io.dynamolock.test.internal.MethodEntries;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reproduces, for tests of code that uses locks, what happens to locks in production: a busy lock, a wait that is over,
 * a lost lock, a full queue, a failing store. It also moves the clock, and shows afterwards what was locked. The code
 * under test runs on the real engine, with its locks in memory.
 *
 * <pre>{@code
 * @DynamoLockTest
 * @Import(OrderService.class)
 * class OrderServiceTest {
 *
 *     @Autowired OrderService orders;
 *     @Autowired TestLocks locks;
 *
 *     @Test
 *     void aBusyCustomerIsRefused() {
 *         locks.timeOut("customer:42");
 *
 *         assertThatThrownBy(() -> orders.place("42")).isInstanceOf(LockTimeoutException.class);
 *     }
 * }
 * }</pre>
 *
 * <p>Without Spring: {@link #create()}, and {@link #registry()} for the code under test.
 *
 * <p>Keys without a namespace are in {@value LockRequest#DEFAULT_NAMESPACE}. Thread-safe, for blocking, asynchronous
 * and reactive code alike; do not call it in callbacks of locks. Tests that run at the same time need an object each,
 * because {@link #reset()} affects every test that shares the object.
 */
public final class TestLocks implements AutoCloseable {

    /** How long {@link #awaitWaiting(String, String)} waits for a caller, in real time. */
    private static final Duration LONGEST_ARRIVAL = Duration.ofSeconds(20);

    private final GrantedLocks granted = new GrantedLocks();
    private final MethodEntries methods = new MethodEntries();
    private final LockTestbed testbed = new LockTestbed(granted::add);
    /** The situations that may not be over yet. */
    private final Set<Situation> situations = ConcurrentHashMap.newKeySet();
    /** The test of the Spring context that runs now; null between tests, and without Spring. */
    private final AtomicReference<@Nullable RunningTest> running = new AtomicReference<>();

    TestLocks() {}

    /** For tests without Spring: a registry with the default settings, and everything that belongs to it. */
    public static TestLocks create() {
        TestLocks locks = new TestLocks();
        LockRegistryBuilder builder = LockTestbed.inMemory();
        locks.attachTo(builder);
        builder.build();
        return locks;
    }

    /** Makes the registry of this builder the registry of the code under test, directed by this object. */
    void attachTo(LockRegistryBuilder builder) {
        testbed.attachTo(builder);
    }

    /** The registry of the code under test. */
    public LockRegistry registry() {
        return testbed.registry();
    }

    private HeldLocks held() {
        return new HeldLocks(registry().admin().held());
    }

    // What happens to locks

    /** As {@link #occupy(String, String)}. */
    public Situation occupy(String key) {
        return occupy(key, LockRequest.DEFAULT_NAMESPACE);
    }

    /**
     * Another process holds the lock until the returned {@link Situation} is closed.
     *
     * @throws IllegalStateException if the lock is not free
     */
    public Situation occupy(String key, String namespace) {
        return lasting(testbed.occupy(key, namespace));
    }

    /** As {@link #occupy(String, String, Duration)}. */
    public Situation occupy(String key, Duration length) {
        return occupy(key, LockRequest.DEFAULT_NAMESPACE, length);
    }

    /**
     * Another process holds the lock for this time, by the clock that {@link #advance} moves. Closing the returned
     * {@link Situation} ends the hold earlier.
     *
     * @throws IllegalStateException if the lock is not free
     */
    public Situation occupy(String key, String namespace, Duration length) {
        return lasting(testbed.occupy(key, namespace, length));
    }

    /** As {@link #timeOut(String, String)}. */
    public Situation timeOut(String key) {
        return timeOut(key, LockRequest.DEFAULT_NAMESPACE);
    }

    /**
     * Another process holds the lock, or is at the end of its queue. Every wait of the code under test for the lock
     * ends at once, as if its time were over, including waits that are under way. A caller without a time limit gets an
     * {@link IllegalStateException} when it requests the lock, because no timeout would end its wait. All this lasts
     * until the returned {@link Situation} is closed.
     */
    public Situation timeOut(String key, String namespace) {
        return lasting(testbed.timeOut(key, namespace));
    }

    /** As {@link #fillQueue(String, String)}. */
    public Situation fillQueue(String key) {
        return fillQueue(key, LockRequest.DEFAULT_NAMESPACE);
    }

    /**
     * Another process fills the queue of the lock until the returned {@link Situation} is closed. If the lock is free,
     * the process also holds the lock until then.
     */
    public Situation fillQueue(String key, String namespace) {
        return lasting(testbed.fillQueue(key, namespace));
    }

    /** As {@link #lose(String, String)}. */
    public void lose(String key) {
        lose(key, LockRequest.DEFAULT_NAMESPACE);
    }

    /**
     * The code under test loses the lock, as if somebody had removed it from the table. When this method returns, the
     * handles of the code under test on the lock are invalid and their callbacks have been called, unless a callback
     * waits for the test. Other callers may get the lock.
     *
     * @throws IllegalStateException if the code under test does not hold the lock
     */
    public void lose(String key, String namespace) {
        if (!testbed.lose(key, namespace)) {
            throw new IllegalStateException("The code under test does not hold " + LockTestbed.describe(key, namespace)
                    + ", so it cannot lose it. " + held().inWords());
        }
    }

    /**
     * The code under test loses its session, and with it all locks that it holds, as if its process had been frozen for
     * too long and another process had declared it dead. The code under test learns of the loss by its next heartbeat,
     * so this method moves the clock on to that heartbeat.
     *
     * @throws IllegalStateException if the code under test holds no lock
     */
    public void loseSession() {
        testbed.loseSession();
    }

    /**
     * The store permanently refuses each call of the code under test, so that every wait ends, until the returned
     * {@link Situation} is closed.
     */
    public Situation refuseStore() {
        return lasting(testbed.refuseStore());
    }

    /**
     * The store does not answer the code under test until the returned {@link Situation} is closed. Calls to the store
     * fail when their timeout is over, and locks are lost after a lease without a successful heartbeat. To reach these
     * moments without waiting, use {@link #advance}.
     */
    public Situation silenceStore() {
        return lasting(testbed.silenceStore());
    }

    // Time

    /**
     * Moves the clock of all locks ahead: waits, leases, {@code maxHold}, {@code holdAtLeast}. The clock runs at its
     * usual pace before and afterwards. Everything that is due in the skipped time happens in order. When this method
     * returns, the locks have processed all of it; threads and callbacks that waited may run a moment later. Heartbeats
     * are also sent in the skipped time, so the move loses no lock, unless the store fails or does not answer.
     *
     * @param time zero or more
     */
    public void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException(
                    "The clock of locks cannot be moved back, but was to be by " + time + ".");
        }
        testbed.advance(time);
    }

    /** The wall clock of the locks. */
    public Instant now() {
        return testbed.now();
    }

    /** As {@link #awaitWaiting(String, String)}. */
    public void awaitWaiting(String key) {
        awaitWaiting(key, LockRequest.DEFAULT_NAMESPACE);
    }

    /**
     * Returns when a caller of the code under test waits for the lock, and has an entry in the queue if there is room.
     *
     * @throws AssertionError if no caller waits within 20 seconds of real time
     */
    public void awaitWaiting(String key, String namespace) {
        if (!testbed.awaitWaiter(key, namespace, LONGEST_ARRIVAL)) {
            throw new AssertionError(
                    "Nobody waits for " + LockTestbed.describe(key, namespace) + ". " + held().inWords());
        }
    }

    // What happened

    /** As {@link #assertHeld(String, String)}. */
    public void assertHeld(String key) {
        assertHeld(key, LockRequest.DEFAULT_NAMESPACE);
    }

    /**
     * Asserts that the code under test holds the lock now. Call this while that code runs, for example from a mock that
     * the code calls.
     *
     * @throws AssertionError if the code under test does not hold the lock; the message says what it holds
     */
    public void assertHeld(String key, String namespace) {
        held().assertHeld(key, namespace);
    }

    /** As {@link #assertNotHeld(String, String)}. */
    public void assertNotHeld(String key) {
        assertNotHeld(key, LockRequest.DEFAULT_NAMESPACE);
    }

    /** @throws AssertionError if the code under test holds the lock now */
    public void assertNotHeld(String key, String namespace) {
        held().assertNotHeld(key, namespace);
    }

    /**
     * The locks that the code under test was granted in this test, in order; if there are more, the latest 10,000.
     */
    public List<LockGrant> grants() {
        return granted.list().stream()
                .map(grant -> new LockGrant(
                        grant.name(), grant.key(), grant.namespace(), grant.fencingToken(), grant.since()))
                .toList();
    }

    /** The {@link #grants()} with this name. The name of an annotated method is like {@code OrderService.place}. */
    public List<LockGrant> grants(String name) {
        return grants().stream().filter(grant -> grant.name().equals(name)).toList();
    }

    /** As {@link #assertEnteredUnderLock(Class, String, String, String)}, in any namespace. */
    public void assertEnteredUnderLock(Class<?> type, String method, String key) {
        methods.assertEntered(type, method, key, null);
    }

    /**
     * Asserts that a method with {@code @DynamoLocked} of a Spring bean was entered in this test while its lock was
     * held. For other code see {@link #grants(String)} and {@link #assertHeld}.
     *
     * @param type the class of the bean, or a supertype of that class
     * @throws AssertionError if the method was not entered under the lock; the message says what was seen
     * @throws IllegalArgumentException if the type has no such method
     */
    public void assertEnteredUnderLock(Class<?> type, String method, String key, String namespace) {
        methods.assertEntered(type, method, key, namespace);
    }

    MethodEntries methods() {
        return methods;
    }

    // Ends

    /**
     * Restores the initial state for the next test: ends all situations, ends the waits of the code under test with
     * {@link io.dynamolock.LockStoreException}, takes its locks away, and forgets what was seen. A paused registry
     * resumes. Leader elections continue. The clock goes on from its present time. With Spring, this is called after
     * each test.
     */
    public void reset() {
        if (testbed.isBuilt()) {
            testbed.endWaits("The test in which this wait began is over");
            // Only after the waits have ended: closing a situation frees locks, and a waiter would get them.
            situations.forEach(Situation::close);
            situations.clear();
            testbed.freeLocks();
        }
        granted.clear();
        methods.clear();
    }

    /**
     * A test that uses these locks.
     *
     * @param instance of its class
     */
    record RunningTest(Object instance, String name) {

        boolean isSame(@Nullable RunningTest other) {
            return other != null && instance == other.instance && name.equals(other.name);
        }
    }

    /** @throws IllegalStateException if another test uses these locks now */
    void begin(RunningTest test) {
        RunningTest other = running.compareAndExchange(null, test);
        if (other != null) {
            throw new IllegalStateException(
                    test.name() + " begins while " + other.name() + " runs. Tests run in parallel,"
                            + " and these two share an application context, so each would see the locks and the clock of the"
                            + " other one. Let them run one after another, in JUnit by @ResourceLock(\"TestLocks\") on both, or"
                            + " give their contexts different properties.");
        }
    }

    /** Resets these locks, unless another test uses them: then this test was refused. */
    void end(RunningTest test) {
        RunningTest now = running.get();
        if (now == null || test.isSame(now)) {
            reset();
            running.compareAndSet(now, null);
        }
    }

    /** Ends all situations and closes the registry. Idempotent. */
    @Override
    public void close() {
        situations.forEach(Situation::close);
        testbed.close();
    }

    private Situation lasting(Runnable end) {
        Situation situation = new Situation(end);
        situations.removeIf(Situation::isOver);
        situations.add(situation);
        return situation;
    }
}
