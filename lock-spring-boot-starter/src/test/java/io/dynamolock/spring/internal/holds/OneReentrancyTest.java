package io.dynamolock.spring.internal.holds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockMode;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.ThreadLock;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.CurrentLock;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.aspect.AspectContext;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * The same lock through the annotation and through the registry, in one thread. Each wait is short: a wait for oneself
 * fails.
 */
class OneReentrancyTest {

    private final LockRegistry locks =
            RegistryBuilder.of(new InMemoryLockStore()).build();

    @AutoClose
    private final AspectContext context = new AspectContext(locks, Work.class);

    private final Work work = context.bean(Work.class);
    private final ThreadLock lock = locks.lock(LockRequest.of("k").waitTime(Duration.ZERO));

    static class Work {

        @DynamoLocked(key = "'k'", waitTime = "0")
        public <T> T run(Supplier<T> body) {
            return body.get();
        }

        @DynamoLocked(key = "'k'", waitTime = "0", onLost = OnLost.IGNORE)
        public <T> T whateverHappens(Supplier<T> body) {
            return body.get();
        }

        @DynamoLocked(key = "'k'", waitTime = "0", mode = LockMode.SHARED)
        public <T> T shared(Supplier<T> body) {
            return body.get();
        }
    }

    @Test
    void aMethodThatHoldsALockTakesItAgainThroughTheRegistry() {
        LockHandle handle = work.run(() -> {
            assertThat(lock.holdCount()).isEqualTo(1);
            lock.lock();
            assertThat(lock.tryLock()).isTrue();
            lock.unlock();
            lock.unlock();
            assertThat(lock.handle()).containsSame(CurrentLock.get().handle());
            return CurrentLock.get().handle();
        });

        assertThat(handle.isValid()).isFalse();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertIsFree();
    }

    @Test
    void aMethodEntersALockThatItsThreadHoldsThroughTheRegistryAndLeavesItHeld() {
        lock.lock();
        LockHandle handle = lock.handle().orElseThrow();

        assertThat(work.run(() -> {
                    assertThat(lock.holdCount()).isEqualTo(2);
                    return work.<LockHandle>run(() -> CurrentLock.get().handle());
                }))
                .isSameAs(handle);

        assertThat(lock.holdCount()).isEqualTo(1);
        assertThat(handle.isValid()).isTrue();
        lock.unlock();
        assertIsFree();
    }

    @Test
    void aLockThatTheBodyLocksThroughTheRegistryOutlivesTheMethod() {
        work.run(() -> {
            lock.lock();
            return "";
        });

        assertThat(lock.holdCount()).isEqualTo(1);
        assertThat(locks.admin().held()).hasSize(1);
        lock.unlock();
        assertIsFree();
    }

    @Test
    void anotherThreadIsAnotherCallerForAnnotationAndRegistry() {
        lock.lock();
        assertThat(CompletableFuture.supplyAsync(() -> locks.lock("k").tryLock())
                        .join())
                .isFalse();
        assertThat(CompletableFuture.supplyAsync(() -> {
                            try {
                                return work.run(() -> "entered");
                            } catch (RuntimeException e) {
                                return e.getClass().getSimpleName();
                            }
                        })
                        .join())
                .isEqualTo("LockTimeoutException");
        lock.unlock();
    }

    @Test
    void aMethodThatWantsALockAloneThatItsThreadSharesIsToldSo() {
        ThreadLock shared = locks.lock(LockRequest.of("k").mode(LockMode.SHARED));
        shared.lock();
        assertThat(work.shared(() -> "read")).isEqualTo("read");
        assertThatIllegalStateException()
                .isThrownBy(() -> work.run(() -> ""))
                .withMessageContaining("would wait for itself");
        assertThat(shared.holdCount()).isEqualTo(1);
        shared.unlock();

        lock.lock();
        assertThat(work.shared(() -> work.run(() -> "it has it alone"))).isEqualTo("it has it alone");
        lock.unlock();
        assertIsFree();
    }

    @Test
    void aMethodDoesNotBeginUnderALostLockOfItsThreadUnlessItIgnoresLosses() {
        lock.lock();
        lock.handle().orElseThrow().setMaxHold(Duration.ofNanos(1));

        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> work.run(() -> ""));
        assertThat(work.whateverHappens(() -> "ran")).isEqualTo("ran");

        assertThat(lock.holdCount()).isEqualTo(1);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
    }

    private void assertIsFree() {
        assertThat(locks.admin().held()).isEmpty();
        assertThat(work.run(() -> "free")).isEqualTo("free");
    }
}
