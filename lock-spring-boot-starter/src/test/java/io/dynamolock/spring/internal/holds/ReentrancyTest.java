package io.dynamolock.spring.internal.holds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockRegistry;
import io.dynamolock.StandIn;
import io.dynamolock.ThreadLock;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.AspectContext;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ReentrancyTest {

    @AutoClose
    private final AspectContext context = new AspectContext(Inner.class, Outer.class);

    private final FakeLockRegistry locks = context.locks;
    private final Outer outer = context.bean(Outer.class);

    static class Inner {

        @DynamoLocked(key = "#key", waitTime = "0")
        public void run(String key, Runnable body) {
            body.run();
        }

        @DynamoLocked(key = "#key", namespace = "other")
        public void inOtherNamespace(String key) {}
    }

    static class Outer {

        private final Inner inner;

        Outer(Inner inner) {
            this.inner = inner;
        }

        @DynamoLocked(key = "#key")
        public void run(String key, String innerKey, Runnable body) {
            inner.run(innerKey, body);
        }

        @DynamoLocked(key = "#key")
        public void other(String key) {
            inner.inOtherNamespace(key);
        }
    }

    @Test
    void aLockedMethodEntersAnotherBeansWithTheSameKeyWithoutAsking() {
        outer.run("k", "k", () -> {
            assertThat(locks.requests).hasSize(1);
            assertThat(locks.lastHandle().isReleased()).isFalse();
        });
        assertThat(locks.requests).hasSize(1);
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void otherKeysAndNamespacesAreOtherLocks() {
        outer.run("k", "l", () -> {});
        assertThat(locks.requests).hasSize(2);
        outer.other("k");
        assertThat(locks.requests).hasSize(4);
        assertThat(locks.handles).allMatch(FakeLockRegistry.FakeHandle::isReleased);
    }

    @Test
    void theInnerEndDoesNotReleaseTheOutersLock() {
        outer.run("k", "k", () -> outer.run("k", "k", () -> {}));
        assertThat(locks.requests).hasSize(1);
    }

    @Test
    void anotherThreadIsAnotherCaller() {
        outer.run(
                "k",
                "k",
                () -> CompletableFuture.runAsync(() -> outer.run("k", "k", () -> {}))
                        .join());
        assertThat(locks.requests).hasSize(2);
    }

    @Test
    void nothingIsLeftAfterAFailure() {
        assertThatIllegalStateException()
                .isThrownBy(() -> outer.run("k", "k", () -> {
                    throw new IllegalStateException("no");
                }));
        assertThat(locks.lastHandle().isReleased()).isTrue();
        outer.run("k", "k", () -> {});
        assertThat(locks.requests).hasSize(2);
    }

    @Test
    void nothingIsLeftAfterATimeout() {
        locks.timesOut = true;
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> outer.run("k", "k", () -> {})))
                .isNotNull();
        locks.timesOut = false;
        outer.run("k", "k", () -> {});
        assertThat(locks.requests).hasSize(2);
    }

    /** An application may wrap ours, or write its own. */
    @Test
    void methodsAreReentrantAlsoWithARegistryOfAnotherKind() {
        ThreadLock ofNobody = StandIn.of(ThreadLock.class, (method, arguments) -> Optional.empty());
        LockRegistry wrapped =
                StandIn.of(LockRegistry.class, locks, (method, arguments) -> method.equals("lock") ? ofNobody : null);
        try (AspectContext own = new AspectContext(wrapped, Inner.class, Outer.class)) {
            own.bean(Outer.class).run("k", "k", () -> own.bean(Inner.class).run("k", () -> {}));
            assertThat(locks.requests).hasSize(1);
            assertThat(locks.lastHandle().isReleased()).isTrue();
            own.bean(Inner.class).run("k", () -> {});
            assertThat(locks.requests).hasSize(2);
        }
    }
}
