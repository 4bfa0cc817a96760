package io.dynamolock.spring.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.ThreadLock;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.CurrentLock;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.AspectContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** How methods that return futures or streams reach the lock that they run under. */
class CurrentLockOfLaterWorkTest {

    private final LockRegistry locks =
            RegistryBuilder.of(new InMemoryLockStore()).build();

    @AutoClose
    private final AspectContext context = new AspectContext(locks, Work.class);

    private final Work work = context.bean(Work.class);

    static class Work {

        @DynamoLocked(key = "#id", condition = "#locked")
        public CompletableFuture<List<CurrentLock>> future(
                String id, boolean locked, Supplier<List<CurrentLock>> body) {
            return CompletableFuture.completedFuture(body.get());
        }

        @DynamoLocked(key = "#id")
        public <T> Mono<T> mono(String id, Mono<T> body) {
            assertThat(CurrentLock.get().handle().key()).isEqualTo(id);
            return body;
        }

        @DynamoLocked(key = "#id", condition = "false")
        public <T> Mono<T> unlocked(String id, Mono<T> body) {
            assertThat(CurrentLock.all()).isEmpty();
            return body;
        }
    }

    private static final Mono<String> KEY_OF_CURRENT = Mono.deferContextual(
            context -> Mono.just(CurrentLock.of(context).handle().key()));

    @Test
    void currentLockWorksInAFuturesMethodUntilItReturns() {
        List<CurrentLock> current = work.future("k", true, () -> {
                    assertThat(CurrentLock.get().handle().isValid()).isTrue();
                    return CurrentLock.all();
                })
                .join();

        assertThat(current).hasSize(1);
        assertThat(current.get(0).handle().isValid()).isFalse();
        assertThat(CurrentLock.all()).isEmpty();
    }

    @Test
    void currentLockOfTheReactorContextWorksOnEveryThread() {
        Mono<String> inner = KEY_OF_CURRENT.subscribeOn(Schedulers.parallel());
        assertThat(work.mono("k", inner).block()).isEqualTo("k");
        assertThat(work.mono("k", work.mono("inner", inner)).block()).isEqualTo("inner");
        assertThat(work.mono("k", work.mono("inner", inner).then(inner)).block())
                .as("the innermost counts, and its caller finds its own again")
                .isEqualTo("k");
    }

    @Test
    void thereIsNoCurrentLockOutsideALockedStream() {
        assertThatIllegalStateException()
                .isThrownBy(KEY_OF_CURRENT::block)
                .withMessageContaining("This subscriber runs no method under @DynamoLocked");
    }

    @Test
    void withoutItsConditionThereIsNoLock() {
        Mono<Integer> count = Mono.deferContextual(
                context -> Mono.just(CurrentLock.allOf(context).size()));
        try (LockHandle held = locks.acquire("k", Duration.ZERO)) {
            assertThat(work.future("k", false, CurrentLock::all).join()).isEmpty();
            assertThat(work.unlocked("k", count).block()).isZero();
            assertThat(work.mono("other", work.unlocked("k", count)).block()).isZero();
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void theBodyOfAFutureMethodCanEnterItsLockThroughTheRegistry() {
        ThreadLock lock = locks.lock(LockRequest.of("k").waitTime(Duration.ZERO));
        CompletableFuture<Boolean> seen = new CompletableFuture<>();
        work.future("k", true, () -> {
                    lock.lock();
                    seen.complete(
                            lock.handle().orElseThrow() == CurrentLock.get().handle());
                    lock.unlock();
                    return List.of();
                })
                .join();

        assertThat(seen.join()).isTrue();
        assertThat(locks.admin().held()).isEmpty();
        lock.lock();
        lock.unlock();
    }
}
