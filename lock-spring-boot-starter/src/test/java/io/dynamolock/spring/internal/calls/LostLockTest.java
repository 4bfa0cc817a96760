package io.dynamolock.spring.internal.calls;

import static io.dynamolock.spring.aspect.Bodies.failing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockLostException;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.aspect.AspectContext;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LostLockTest {

    private final AspectContext context = new AspectContext(Work.class);
    private final FakeLockRegistry locks = context.locks;
    private final Work work = context.bean(Work.class);

    @AfterEach
    void close() {
        context.close();
        assertThat(Thread.interrupted()).as("an interrupt is left behind").isFalse();
    }

    static class Work {

        @DynamoLocked(key = "'k'")
        public <T> T throwing(Supplier<T> body) {
            return body.get();
        }

        @DynamoLocked(key = "'k'", onLost = OnLost.INTERRUPT)
        public <T> T interrupting(Supplier<T> body) {
            return body.get();
        }

        @DynamoLocked(key = "'k'", onLost = OnLost.IGNORE)
        public <T> T ignoring(Supplier<T> body) {
            return body.get();
        }
    }

    private String lose() {
        locks.lastHandle().lose();
        return "result";
    }

    @Test
    void throwsInsteadOfTheResult() {
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> work.throwing(this::lose));
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void theMethodsOwnFailureComesFirstAndCarriesTheLoss() {
        assertThatIllegalStateException()
                .isThrownBy(() -> work.throwing(() -> {
                    lose();
                    throw new IllegalStateException("mine");
                }))
                .withMessage("mine")
                .satisfies(failure ->
                        assertThat(failure.getSuppressed()).singleElement().isInstanceOf(LockLostException.class));
    }

    @Test
    void ignoresTheLossIfTold() {
        assertThat(work.ignoring(this::lose)).isEqualTo("result");
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void interruptsTheThreadThatWorksAndClearsTheFlag() {
        AtomicBoolean interrupted = new AtomicBoolean();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> work.interrupting(() -> {
                    lose();
                    interrupted.set(Thread.currentThread().isInterrupted());
                    return "";
                }));
        assertThat(interrupted).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void onLostInterruptWakesUpABlockedThread() throws InterruptedException {
        CountDownLatch entered = new CountDownLatch(1);
        Thread loser = new Thread(() -> {
            try {
                entered.await();
                lose();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        loser.start();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> work.interrupting(() -> {
                    entered.countDown();
                    try {
                        return new CountDownLatch(1).await(1, java.util.concurrent.TimeUnit.MINUTES);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException("woken up", e);
                    }
                }))
                .satisfies(loss -> assertThat(loss.getSuppressed())
                        .singleElement()
                        .satisfies(suppressed -> assertThat(suppressed).hasMessage("woken up")));
        loser.join();
    }

    @Test
    void aFailureWithoutALossIsJustThat() {
        assertThatIllegalStateException()
                .isThrownBy(() -> work.interrupting(failing("mine")))
                .withMessage("mine")
                .satisfies(failure -> assertThat(failure.getSuppressed()).isEmpty());
    }

    @Test
    void keepsAnInterruptThatCameFromElsewhere() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> work.interrupting(() -> {
                    Thread.currentThread().interrupt();
                    return lose();
                }));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void doesNotInterruptAfterTheMethod() {
        work.interrupting(() -> "");
        locks.lastHandle().lose();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void neverLeavesAStrayInterruptWhenTheLossMeetsTheEnd() throws InterruptedException {
        for (int round = 0; round < 1_000; round++) {
            CyclicBarrier start = new CyclicBarrier(2);
            Thread loser = new Thread(() -> {
                await(start);
                lose();
            });
            loser.start();
            try {
                work.interrupting(() -> {
                    await(start);
                    return "";
                });
            } catch (LockLostException e) {
                // In some rounds.
            }
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            // Throws if the interrupt comes late.
            loser.join();
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aNestedMethodDoesNotBeginUnderALockThatIsLost() {
        AtomicBoolean entered = new AtomicBoolean();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> work.ignoring(() -> {
                    lose();
                    return work.throwing(() -> {
                        entered.set(true);
                        return "";
                    });
                }));
        assertThat(entered).isFalse();
        assertThat(locks.requests).hasSize(1);
    }

    @Test
    void nestedMethodsRegisterOneCallbackForAll() {
        work.interrupting(() -> {
            for (int i = 0; i < 50; i++) {
                work.interrupting(() -> "");
            }
            return "";
        });
        assertThat(locks.handles).hasSize(1);
        assertThat(locks.lastHandle().callbacks()).isEqualTo(1);
    }
}
