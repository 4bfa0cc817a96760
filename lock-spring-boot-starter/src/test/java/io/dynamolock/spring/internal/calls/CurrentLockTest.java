package io.dynamolock.spring.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.CurrentLock;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.LockKeyException;
import io.dynamolock.spring.aspect.AspectContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** How a method reaches the lock that it runs under. */
class CurrentLockTest {

    private final LockRegistry locks =
            RegistryBuilder.of(new InMemoryLockStore()).owner("me").build();

    @AutoClose
    private final AspectContext context = new AspectContext(locks, Work.class);

    private final Work work = context.bean(Work.class);

    static class Work {

        @DynamoLocked(key = "#id")
        public <T> T run(String id, Supplier<T> body) {
            return body.get();
        }

        @DynamoLocked(keys = {"'b'", "'a'"})
        public List<CurrentLock> several() {
            return CurrentLock.all();
        }

        @DynamoLocked(keys = {"'b'", "'a'"})
        public void oneOfSeveral() {
            CurrentLock.get();
        }

        @DynamoLocked(key = "#id", condition = "#locked")
        public @Nullable LockHandle maybe(String id, boolean locked) {
            assertThat(CurrentLock.all()).hasSize(locked ? 1 : 0);
            return locked ? CurrentLock.get().handle() : null;
        }

        @DynamoLocked(key = "#id", condition = "#answer")
        public void ifAnswer(String id, @Nullable Object answer) {}
    }

    @Test
    void theCurrentLockShowsTokenValidityAndStateToTheMethodAndItsCallees() {
        LockHandle handle = work.run("k", () -> {
            CurrentLock current = CurrentLock.get();
            assertThat(current.handle().key()).isEqualTo("k");
            assertThat(current.handle().remainingValidity()).isPositive();
            assertThat(current.inspect().holder()).map(holder -> holder.owner()).contains("me");
            assertThat(current.inspect().key()).isEqualTo("k");
            return current.handle();
        });

        assertThat(handle.isValid()).isFalse();
    }

    @Test
    void theMethodHearsThatItsLockIsLostAndCanMakeItsLimitsLonger() {
        CompletableFuture<String> told = new CompletableFuture<>();

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> work.run("k", () -> {
                    LockHandle handle = CurrentLock.get().handle();
                    handle.onLost(() -> told.complete("lost"));
                    handle.setMaxHold(handle.held().plusMinutes(1));
                    assertThat(handle.isValid()).isTrue();
                    handle.setMaxHold(Duration.ofNanos(1));
                    return "";
                }));

        assertThat(told.orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo("lost");
    }

    @Test
    void currentLockIsThatOfTheInnermostMethod() {
        for (String inner : List.of("b", "a")) {
            String key = work.run("a", () -> {
                LockHandle own = CurrentLock.get().handle();
                LockHandle ofInner = work.run(inner, () -> CurrentLock.get().handle());
                assertThat(CurrentLock.get().handle()).isSameAs(own);
                assertThat(ofInner == own).isEqualTo(inner.equals("a"));
                work.maybe("unlocked", false);
                return ofInner.key();
            });
            assertThat(key).isEqualTo(inner);
        }
    }

    @Test
    void severalLocksAreToldInTheOrderInWhichTheyAreWritten() {
        assertThat(work.several()).extracting(lock -> lock.handle().key()).containsExactly("b", "a");
        assertThatIllegalStateException()
                .isThrownBy(work::oneOfSeveral)
                .withMessageContainingAll("has 2 locks", "CurrentLock.all()");
    }

    @Test
    void thereIsNoCurrentLockOutsideAMethodOrOnAnotherThread() {
        assertThatIllegalStateException()
                .isThrownBy(CurrentLock::get)
                .withMessageContaining("This thread runs no method under @DynamoLocked");
        assertThat(CurrentLock.all()).isEmpty();
        assertThat(work.run(
                        "k",
                        () -> CompletableFuture.supplyAsync(CurrentLock::all).join()))
                .isEmpty();
        work.run("k", () -> "");
        assertThat(CurrentLock.all()).as("after the call").isEmpty();
    }

    // Conditions

    @Test
    void aMethodWhoseConditionDoesNotHoldRunsWithoutALock() {
        try (LockHandle held = locks.acquire("k", Duration.ZERO)) {
            assertThat(work.maybe("k", false)).as("no lock is entered").isNull();
            assertThat(held.isValid()).isTrue();
        }
        assertThat(work.maybe("k", true)).isNotNull();
    }

    @Test
    void aConditionThatIsNeitherTrueNorFalseFailsTheCall() {
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(() -> work.ifAnswer("k", "yes"))
                .withMessageContainingAll(
                        "Work.ifAnswer", "condition \"#answer\"", "java.lang.String, not true or false");
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(() -> work.ifAnswer("k", null))
                .withMessageContaining("it is null, not true or false");
    }
}
