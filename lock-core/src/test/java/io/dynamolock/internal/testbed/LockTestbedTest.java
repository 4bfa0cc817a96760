package io.dynamolock.internal.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRegistryBuilder;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.internal.testing.TestThread;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@code TestLocks} needs. Its own tests, in another module, show the rest. */
@Timeout(60)
class LockTestbedTest {

    private static final String NAMESPACE = LockRequest.DEFAULT_NAMESPACE;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SOON = Duration.ofSeconds(20);

    private final List<LockAdmin.Held> granted = new CopyOnWriteArrayList<>();
    private final LockTestbed testbed = new LockTestbed(granted::add);
    private final LockRegistry registry = registryOn(testbed);

    private static LockRegistry registryOn(LockTestbed testbed) {
        LockRegistryBuilder builder = LockTestbed.inMemory();
        testbed.attachTo(builder);
        return builder.build();
    }

    @AfterEach
    void close() {
        testbed.close();
    }

    @Test
    void aRegistryStandsOnItOnceItIsBuilt() {
        assertThat(testbed.isBuilt()).isTrue();
        assertThat(testbed.registry()).isSameAs(registry);
        assertThatIllegalStateException().isThrownBy(() -> registryOn(testbed)).withMessageContaining("already");
        try (LockTestbed other = new LockTestbed(grant -> {})) {
            assertThat(other.isBuilt()).isFalse();
            assertThatIllegalStateException().isThrownBy(other::registry).withMessageContaining("no registry");
            assertThatIllegalStateException().isThrownBy(() -> other.occupy("k", NAMESPACE));
        }
    }

    @Test
    void aGrantIsToldBeforeItsCallerHasTheHandle() {
        LockHandle handle = registry.acquire(LockRequest.of("k").name("name").caller("me"));
        assertThat(granted)
                .extracting(LockAdmin.Held::key, LockAdmin.Held::name, LockAdmin.Held::fencingToken)
                .containsExactly(tuple("k", "name", handle.fencingToken()));
    }

    @Test
    void anotherProcessHoldsTheLockUntilTheEnd() {
        Runnable end = testbed.occupy("k", NAMESPACE);
        assertThat(registry.tryAcquire("k")).isEmpty();
        assertThatIllegalStateException().isThrownBy(() -> testbed.occupy("k", NAMESPACE));
        end.run();
        assertThat(registry.tryAcquire("k")).isPresent();
    }

    @Test
    void aWaiterIsSeenAndTheClockEndsItsWait() {
        testbed.occupy("k", NAMESPACE, HOUR.multipliedBy(2));
        CompletableFuture<LockHandle> waiter =
                registry.acquireAsync(LockRequest.of("k").waitTime(HOUR));
        assertThat(testbed.awaitWaiter("k", NAMESPACE, SOON)).isTrue();
        assertThat(testbed.awaitWaiter("other", NAMESPACE, Duration.ofMillis(1)))
                .isFalse();
        Instant before = testbed.now();
        testbed.advance(HOUR);
        assertThat(testbed.now()).isAfterOrEqualTo(before.plus(HOUR));
        assertThat(waiter).failsWithin(10, TimeUnit.SECONDS);
        testbed.advance(HOUR);
        assertThat(registry.tryAcquire("k")).isPresent();
    }

    @Test
    void waitsForATimedOutLockEndAtOnce() {
        Runnable end = testbed.timeOut("k", NAMESPACE);
        assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> registry.acquire("k", HOUR));
        end.run();
        assertThat(registry.acquire("k", HOUR).isValid()).isTrue();
    }

    @Test
    void aFullQueueTakesNobody() {
        Runnable end = testbed.fillQueue("k", NAMESPACE);
        assertThat(registry.admin().inspect("k").queue()).hasSize(199);
        end.run();
        assertThat(registry.admin().inspect("k").queue()).isEmpty();
    }

    @Test
    void aLockAndASessionAreLost() {
        LockHandle lock = registry.acquire("k", Duration.ZERO);
        LockHandle other = registry.acquire("other", Duration.ZERO);
        assertThat(testbed.lose("k", NAMESPACE)).isTrue();
        assertThat(testbed.lose("k", NAMESPACE)).isFalse();
        assertThat(lock.isValid()).isFalse();
        assertThat(other.isValid()).isTrue();
        testbed.loseSession();
        assertThat(other.isValid()).isFalse();
    }

    @Test
    void theStoreRefusesOrIsSilentUntilTheEnd() {
        Runnable answer = testbed.refuseStore();
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> registry.acquire("k", HOUR));
        answer.run();
        LockHandle handle = registry.acquire("k", HOUR);
        Runnable speak = testbed.silenceStore();
        testbed.advance(Duration.ofSeconds(25));
        assertThat(handle.isValid()).isFalse();
        speak.run();
        assertThat(registry.acquire("other", HOUR).isValid()).isTrue();
    }

    /** So that a test finds a lock free as soon as the code under test has gone on. */
    @Test
    void everyReleaseIsAwaitedWhateverTheRequestSays() throws Exception {
        CompletableFuture<Runnable> speak = new CompletableFuture<>();
        var section = TestThread.running(() -> {
            registry.withLock(LockRequest.of("k").awaitRelease(false), () -> {
                speak.complete(testbed.silenceStore());
            });
            return "done";
        });
        Runnable end = speak.get(20, TimeUnit.SECONDS);
        section.untilItWaits();
        assertThat(registry.admin().held()).isEmpty();

        end.run();

        assertThat(section.value()).isEqualTo("done");
    }

    @Test
    void waitsAreFailedAndLocksFreedBetweenTests() {
        LockHandle held = registry.acquire("k", Duration.ZERO);
        CompletableFuture<LockHandle> waiter =
                registry.acquireAsync(LockRequest.of("k").waitTime(HOUR));
        testbed.awaitWaiter("k", NAMESPACE, SOON);
        testbed.endWaits("said by a test");
        assertThat(waiter)
                .failsWithin(10, TimeUnit.SECONDS)
                .withThrowableThat()
                .withMessageContaining("said by a test");
        registry.admin().pause();
        testbed.freeLocks();
        assertThat(held.isValid()).isFalse();
        assertThat(registry.tryAcquire("k")).isPresent();
    }
}
