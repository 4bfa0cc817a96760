package io.dynamolock.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dynamolock.LockHandle;
import io.dynamolock.LockMode;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.LockView;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A thread that waits for a lock which it holds itself is told so.. */
class WaitForOneselfTest {

    private static final String TOLD = "This very thread has acquired it before and not released it yet";

    @AutoClose
    private final LockRegistry locks =
            RegistryBuilder.of(new InMemoryLockStore()).build();

    @Test
    void theTimeoutSaysThatTheThreadHoldsTheLockByAHandle() {
        try (LockHandle held = locks.acquire("k", Duration.ZERO)) {
            assertThat(timeout("k")).hasMessageContaining(TOLD);
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void theTimeoutSaysThatTheThreadHasEnteredTheLock() {
        AdoptableLock lock = (AdoptableLock) locks.lock("k");
        lock.lock();
        assertThat(timeout("k")).hasMessageContaining(TOLD);
        lock.unlock();
    }

    @Test
    void aWaitForAnotherThreadOrAfterTheReleaseIsNoWaitForOneself() {
        LockHandle own = locks.acquire("k", Duration.ZERO);
        own.release();
        LockHandle ofAnother = CompletableFuture.supplyAsync(() -> locks.acquire("k", Duration.ZERO))
                .join();
        assertThat(timeout("k").getMessage()).doesNotContain("This very thread");
        ofAnother.release();
    }

    @Test
    void aTimeoutNamesTheThreadOfThisProcessForWhichTheCallerMayHaveWaited() {
        LockRequest impatient = LockRequest.of("k").waitTime(Duration.ofMillis(1));
        try (LockHandle outer = locks.acquire(LockRequest.of("k").caller("main-thread"))) {
            LockTimeoutException ofAnotherThread = CompletableFuture.supplyAsync(
                            () -> catchThrowableOfType(LockTimeoutException.class, () -> locks.acquire(impatient)))
                    .join();
            Throwable ofAFuture = locks.acquireAsync(impatient)
                    .handle((handle, failure) -> failure)
                    .join();
            assertThat(List.of(ofAnotherThread, ofAFuture))
                    .allSatisfy(timeout -> assertThat(timeout)
                            .hasMessageContaining("This very process holds it, for \"main-thread\".")
                            .hasMessageContaining("waited for its own caller"));
            assertThat(outer.isValid()).isTrue();
        }
    }

    /** As a job that is skipped at each tick at which another thread of its process is at work. */
    @Test
    void aCallerThatWasNotToWaitIsNotToldThatItMayHaveWaitedForItsCaller() {
        LockRequest atOnce = LockRequest.of("k").waitTime(Duration.ZERO);
        try (LockHandle outer = locks.acquire(LockRequest.of("k").caller("main-thread"))) {
            LockTimeoutException ofAnotherThread = CompletableFuture.supplyAsync(
                            () -> catchThrowableOfType(LockTimeoutException.class, () -> locks.acquire(atOnce)))
                    .join();
            Throwable ofAFuture = locks.acquireAsync(atOnce)
                    .handle((handle, failure) -> failure)
                    .join();
            assertThat(List.of(ofAnotherThread, ofAFuture))
                    .allSatisfy(timeout -> assertThat(timeout)
                            .hasMessageContaining("Did not get the lock \"k\"")
                            .message()
                            .doesNotContain("This very", "waited for its own caller"));
            assertThat(catchThrowableOfType(LockTimeoutException.class, () -> locks.acquire(atOnce)))
                    .as("of the holder's thread, which stands in its own way all the same")
                    .hasMessageContaining(TOLD)
                    .message()
                    .doesNotContain("may have waited");
            assertThat(outer.isValid()).isTrue();
        }
    }

    @Test
    void readersAndPermitsDoNotStandInTheirOwnWay() {
        LockView permits = locks.permits("p", 1);
        try (LockHandle permit = permits.acquire(Duration.ZERO)) {
            LockTimeoutException timeout =
                    catchThrowableOfType(LockTimeoutException.class, () -> permits.acquire(Duration.ZERO));
            assertThat(timeout.getMessage()).doesNotContain("This very thread");
            assertThat(permit.isValid()).isTrue();
        }
        LockRequest shared = LockRequest.of("s").mode(LockMode.SHARED).waitTime(Duration.ZERO);
        try (LockHandle first = locks.acquire(shared);
                LockHandle second = locks.acquire(shared)) {
            assertThat(first.isValid() && second.isValid()).isTrue();
            assertThat(timeout("s")).as("alone").hasMessageContaining(TOLD);
        }
    }

    /** It was acquired by the thread that happens to complete the future. */
    @Test
    void aFutureDoesNotWaitForItsThread() {
        ExecutorService one = Executors.newSingleThreadExecutor();
        try (LockRegistry onOne =
                RegistryBuilder.of(new InMemoryLockStore()).executor(one).build()) {
            LockHandle held = CompletableFuture.supplyAsync(() -> onOne.acquire("k", Duration.ZERO), one)
                    .join();
            assertThatThrownBy(() -> onOne.acquireAsync(LockRequest.of("k").waitTime(Duration.ofMillis(1)))
                            .join())
                    .hasCauseInstanceOf(LockTimeoutException.class)
                    .message()
                    .doesNotContain("This very thread");
            held.release();
        } finally {
            one.shutdown();
        }
    }

    @Test
    void aThreadThatAdoptsAHandleMayWaitForItselfUntilItDisownsIt() {
        LockHandle handle = locks.acquireAsync(LockRequest.of("k"))
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
        assertThat(timeout("k").getMessage()).doesNotContain("This very thread");
        AdoptableLock lock = (AdoptableLock) locks.lock("k");
        lock.adopt(handle);
        assertThat(timeout("k")).hasMessageContaining(TOLD);
        lock.disown();
        assertThat(timeout("k").getMessage()).doesNotContain("This very thread");
        handle.release();
    }

    private LockTimeoutException timeout(String key) {
        LockTimeoutException timeout =
                catchThrowableOfType(LockTimeoutException.class, () -> locks.acquire(key, Duration.ofMillis(1)));
        assertThat(timeout).isNotNull();
        return timeout;
    }
}
