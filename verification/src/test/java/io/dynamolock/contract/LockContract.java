package io.dynamolock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockEvent;
import io.dynamolock.LockListener;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockSnapshot;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The lock under test, as seen by this thread and by its rivals. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.dynamolock.contract.Surroundings#all")
// A test that waits for ever fails, even in a lock() that no interrupt ends.
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class LockContract {

    /** How long a test waits for something that should happen at once. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final String KEY = "k";

    @Parameter
    Surroundings surroundings;

    private final InMemoryLockStore table = new InMemoryLockStore();
    private final AtomicInteger losses = new AtomicInteger();
    private volatile String session;

    /** This thread's registry. */
    LockRegistry locks;

    /** The registry of the rivals: the same one, or another one on the same table. */
    LockRegistry rivalLocks;

    Lock lock;
    Lock rivalLock;

    @BeforeEach
    void open() {
        locks = registry(this::heard);
        rivalLocks = surroundings.twoProcesses() ? anotherRegistry() : locks;
        lock = locks.lock(KEY);
        rivalLock = rivalLocks.lock(KEY);
    }

    @AfterEach
    void close() {
        locks.close();
        rivalLocks.close();
    }

    /** A process that is neither this thread's nor the rivals'. */
    LockRegistry anotherRegistry() {
        return registry(event -> {});
    }

    private LockRegistry registry(LockListener listener) {
        return RegistryBuilder.of(table)
                .heartbeat(Duration.ofMillis(5))
                .pollInterval(Duration.ofMillis(1), Duration.ofMillis(5))
                .listener(listener)
                .build();
    }

    /** Has a rival do the action. */
    <T> Rival<T> rival(Callable<T> action) {
        return new Rival<>(surroundings, Rival.doing(action));
    }

    /** Has a rival do the action, and returns when the rival waits for the lock. */
    <T> Rival<T> waitingRival(Callable<T> action) {
        return waitingRival(Rival.doing(action));
    }

    /** A rival that waits for the lock, does the action, and unlocks. */
    Rival<Boolean> waitingToDo(Runnable section) {
        return waitingRival(() -> {
            rivalLock.lock();
            section.run();
            rivalLock.unlock();
            return true;
        });
    }

    /** A rival that is interrupted before it does the action. */
    <T> Rival<T> interruptedRival(Callable<T> action) {
        return rival(() -> {
            Thread.currentThread().interrupt();
            return action.call();
        });
    }

    <T> Rival<T> waitingRival(Rival.Action<T> action) {
        int before = rivalLocks.admin().waiting();
        Rival<T> rival = new Rival<>(surroundings, action);
        await(() -> rivalLocks.admin().waiting() == before + 1 && rival.isBlocked());
        if (surroundings.twoProcesses()) {
            await(() -> !locks.admin().inspect(KEY).queue().isEmpty());
        }
        return rival;
    }

    /** A rival that has the lock and pauses before it unlocks. */
    Rival<Boolean> holdingRival() {
        Rival<Boolean> rival = new Rival<>(surroundings, self -> {
            rivalLock.lock();
            self.pause();
            rivalLock.unlock();
            return true;
        });
        await(rival::isPaused);
        return rival;
    }

    boolean rivalGetsItAtOnce() throws Exception {
        return rival(() -> {
                    boolean entered = rivalLock.tryLock();
                    if (entered) {
                        rivalLock.unlock();
                    }
                    return entered;
                })
                .value();
    }

    void assertHeldAgainstRivals() throws Exception {
        assertThat(rivalGetsItAtOnce()).as("a rival gets it").isFalse();
    }

    void unlockAndAssertFree() throws Exception {
        lock.unlock();
        assertFreeAndNobodyQueued();
    }

    void assertFreeAndNobodyQueued() throws Exception {
        await(() -> rivalLocks.admin().waiting() == 0 && locks.admin().waiting() == 0);
        // An interrupted thread does not wait for its release to be written. The rivals' reads come after it.
        await(() -> isUnwanted(rivalLocks.admin().inspect(KEY)));
        assertThat(rivalGetsItAtOnce()).as("a rival gets it").isTrue();
    }

    private static boolean isUnwanted(LockSnapshot lock) {
        return lock.holder().isEmpty() && lock.queue().isEmpty();
    }

    /**
     * Has this thread's process lose its session, as if it had been silent for too long, and waits until the process
     * has noticed.
     */
    void loseSession() {
        await(() -> session != null);
        table.edit(new SessionId(session), new SessionEdit.End(), Instant.EPOCH);
        await(() -> losses.get() > 0);
    }

    static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(1, TimeUnit.MILLISECONDS)
                .atMost(PATIENCE)
                .until(condition);
    }

    private void heard(LockEvent event) {
        if (event instanceof LockEvent.SessionStarted started) {
            session = started.session();
        } else if (event instanceof LockEvent.Lost) {
            losses.incrementAndGet();
        }
    }
}
