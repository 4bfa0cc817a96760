package io.dynamolock.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LeaderElection.Leadership;
import io.dynamolock.LockEvictedException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockObserver;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.ThreadLock;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.testing.FakeGrant;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class LockObserverTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile boolean isFailing;

    @AutoClose
    private final LockRegistry locks = observedBy(request -> {
        note("requested");
        return new Notes();
    });

    private static LockRegistry observedBy(LockObserver observer) {
        return RegistryBuilder.of(new InMemoryLockStore()).observer(observer).build();
    }

    private void note(String what) {
        if (isFailing) {
            throw new AssertionError(what);
        }
        seen.add(what);
        threads.add(Thread.currentThread());
    }

    private final class Notes implements LockObserver.Attempt {

        @Override
        public void granted(long fencingToken, OptionalLong ahead) {
            note("granted" + behind(ahead));
        }

        @Override
        public void notGranted(boolean timedOut, OptionalLong ahead) {
            note((timedOut ? "timed out" : "left") + behind(ahead));
        }

        @Override
        public void evicted(OptionalLong ahead) {
            note("evicted" + behind(ahead));
        }

        private static String behind(OptionalLong ahead) {
            return ahead.isPresent() ? " at " + ahead.getAsLong() : "";
        }

        @Override
        public void released() {
            note("released");
        }

        @Override
        public void lost() {
            note("lost");
        }
    }

    @Test
    void aBlockingCallerIsFollowedOnItsOwnThread() {
        locks.acquire("k", LONG).close();
        assertThat(seen).containsExactly("requested", "granted", "released");
        assertThat(threads).containsOnly(Thread.currentThread());
    }

    @Test
    void aQueuedCallerIsToldHowManyAreAhead() throws Exception {
        LockHandle first = locks.acquire("k", LONG);
        CompletableFuture<LockHandle> second = locks.acquireAsync(LockRequest.of("k"));
        await().until(() -> locks.admin().waiting() == 1);
        CompletableFuture<LockHandle> third = locks.acquireAsync(LockRequest.of("k"));
        await().until(() -> locks.admin().waiting() == 2);
        first.close();
        second.get(30, TimeUnit.SECONDS).close();
        third.get(30, TimeUnit.SECONDS).close();
        assertThat(seen).contains("granted at 1", "granted at 2");
    }

    @Test
    void aTimeoutAndACancelledWaitAreToldApart() throws Exception {
        try (LockHandle other = locks.acquire("k", LONG)) {
            assertThat(locks.tryAcquire("k")).isEmpty();
            await().untilAsserted(() -> assertThat(seen).last().asString().startsWith("timed out"));
            CompletableFuture<LockHandle> second = locks.acquireAsync(LockRequest.of("k"));
            second.cancel(false);
            await().untilAsserted(() -> assertThat(seen).last().asString().startsWith("left"));
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> locks.acquire("k", LONG)).isInstanceOf(LockInterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(other.isValid()).isTrue();
        }
    }

    @Test
    void anEvictedWaiterIsToldApartFromACancelledOne() throws Exception {
        try (LockHandle other = locks.acquire("k", LONG)) {
            CompletableFuture<LockHandle> second = locks.acquireAsync(LockRequest.of("k"));
            await().until(() -> !locks.admin().inspect("k").queue().isEmpty());

            locks.admin()
                    .evict(
                            "k",
                            LockRequest.DEFAULT_NAMESPACE,
                            locks.admin().inspect("k").queue().get(0).id());

            assertThat(second).failsWithin(LONG).withThrowableThat().withCauseInstanceOf(LockEvictedException.class);
            await().untilAsserted(() -> assertThat(seen).last().asString().startsWith("evicted"));
            assertThat(other.isValid()).isTrue();
        }
    }

    @Test
    void aLossEndsTheHoldOnce() {
        LockHandle handle = locks.acquire(LockRequest.of("k").maxHold(Duration.ofMillis(50)));
        await().untilAsserted(() -> assertThat(seen).containsExactly("requested", "granted", "lost"));
        handle.close();
        assertThat(seen).containsExactly("requested", "granted", "lost");
    }

    @Test
    void aReleaseWhoseDataIsRefusedIsTheEndOfTheHold() {
        LockHandle reader = locks.readWrite("k").read().acquire(LONG);
        assertThatThrownBy(() -> reader.release(LockData.of("more"))).isInstanceOf(UnsupportedOperationException.class);
        await().untilAsserted(() -> assertThat(seen).containsExactly("requested", "granted", "released"));
    }

    @Test
    void aDowngradeIsNotTheEndOfTheHold() {
        LockHandle writer = locks.readWrite("k").write().acquire(LONG);
        LockHandle reader = writer.downgrade();
        writer.close();
        assertThat(seen).doesNotContain("released", "lost");
        reader.close();
        assertThat(seen).containsExactly("requested", "granted", "released");
    }

    @Test
    void aThreadThatEntersAgainIsOneCaller() {
        ThreadLock lock = locks.lock("k");
        lock.lock();
        lock.lock();
        lock.unlock();
        lock.unlock();
        assertThat(seen).containsExactly("requested", "granted", "released");
    }

    @Test
    void eachOfSeveralLocksHasACallerOfItsOwn() {
        locks.acquireAll(List.of(LockRequest.of("a"), LockRequest.of("b"))).forEach(LockHandle::close);
        assertThat(seen).containsExactly("requested", "granted", "requested", "granted", "released", "released");
    }

    @Test
    void aReleaseWhoseFutureIsCancelledIsTold() {
        FakeEngine engine = new FakeEngine().granting();
        LockHandle handle = observed(engine).acquire("k", LONG);
        FakeGrant grant = engine.attempt(0).grant;
        grant.answersRelease = false;

        handle.releaseAsync().cancel(false);
        grant.releaseAnswer.complete(true);

        await().untilAsserted(() -> assertThat(seen).containsExactly("granted", "released"));
    }

    @Test
    void aLockWhoseHandleCannotBeMadeIsGivenBackAndItsCallerFails() {
        FakeEngine engine = new FakeEngine();
        LockRegistry registry = observed(engine);
        engine.answer = attempt -> {
            attempt.grant.lossCallbacks = List.of(); // It takes no more, so nobody can follow its losses.
            return new AcquireOutcome.Granted(attempt.grant);
        };

        assertThatThrownBy(() -> registry.acquire("k", LONG)).isInstanceOf(UnsupportedOperationException.class);
        assertThat(registry.acquireAsync(LockRequest.of("k")))
                .failsWithin(LONG)
                .withThrowableThat()
                .withCauseInstanceOf(UnsupportedOperationException.class);

        assertThat(engine.attempts).hasSize(2).noneMatch(attempt -> attempt.grant.isValid());
        assertThat(seen).containsExactly("granted", "released", "granted", "released");
    }

    private LockRegistry observed(FakeEngine engine) {
        DefaultLockRegistry registry = engine.registry();
        registry.observe(request -> new Notes());
        return registry;
    }

    @Test
    void anElectionIsNotFollowed() {
        CompletableFuture<Leadership> leads = new CompletableFuture<>();
        locks.elect("mails", leads::complete);
        await().until(leads::isDone);
        assertThat(seen).isEmpty();
    }

    @Test
    void whatTheObserverThrowsChangesNothing() throws Exception {
        try (LockRegistry notBegun = observedBy(request -> {
            throw new StackOverflowError("requested");
        })) {
            notBegun.acquire("k", LONG).close();
        }
        isFailing = true;
        LockRegistry failing = observedBy(request -> new Notes());
        try (LockHandle handle = failing.acquire("k", LONG)) {
            assertThat(failing.tryAcquire("k")).isEmpty();
            assertThat(handle.isValid()).isTrue();
        }
        LockHandle second = failing.acquireAsync(LockRequest.of("k")).get(30, TimeUnit.SECONDS);
        assertThat(second.releaseAsync().get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(failing.admin().held()).isEmpty();
        failing.close();
    }
}
