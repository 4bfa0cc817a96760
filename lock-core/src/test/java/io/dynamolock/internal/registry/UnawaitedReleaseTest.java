package io.dynamolock.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockObserver;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.engine.ReleaseTerms;
import io.dynamolock.internal.testing.FakeGrant;
import io.dynamolock.internal.testing.TestThread;
import io.dynamolock.internal.threads.RegistryThread;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which releases at the end of a locked section are awaited, and who hears of what their answers show. */
@Timeout(60)
class UnawaitedReleaseTest {

    private static final LockRequest REQUEST = LockRequest.of("k").waitTime(Duration.ofSeconds(1));

    private final FakeEngine engine = new FakeEngine().granting();
    private final DefaultLockRegistry registry = engine.registry();

    /** Runs a section whose release is not answered. */
    private FakeGrant section(LockRequest request) {
        registry.withLock(request, lock -> {
            last().answersRelease = false;
            return 0;
        });
        return last();
    }

    private FakeGrant last() {
        return engine.attempts.get(engine.attempts.size() - 1).grant;
    }

    @Test
    void aSectionEndsWhenItsReleaseIsBegun() {
        FakeGrant grant = section(REQUEST);

        assertThat(grant.releases).hasValue(1);
        assertThat(grant.unawaitedReleases).hasValue(1);
        assertThat(grant.releaseAnswer).isNotDone();
    }

    @Test
    void aSectionThatFailsEndsWhenItsReleaseIsBegun() {
        IllegalStateException failure = new IllegalStateException("expected by this test");
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> registry.withLock(REQUEST, lock -> {
                    last().answersRelease = false;
                    throw failure;
                }))
                .isSameAs(failure)
                .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
        assertThat(last().unawaitedReleases).hasValue(1);
    }

    @Test
    void aRequestThatAwaitsItsReleaseWaitsForTheAnswer() throws Exception {
        isAwaited(request -> request.awaitRelease(true));
    }

    @Test
    void theEndOfALockWithAShortestHoldIsAwaited() throws Exception {
        isAwaited(request -> request.holdAtLeast(Duration.ofSeconds(1)));
    }

    @Test
    void aReleaseThatTheSectionHasBegunItselfIsAwaited() throws Exception {
        isAwaited(request -> request, LockHandle::releaseAsync);
    }

    private void isAwaited(UnaryOperator<LockRequest> change) throws Exception {
        isAwaited(change, lock -> {});
    }

    private void isAwaited(UnaryOperator<LockRequest> change, Consumer<LockHandle> action) throws Exception {
        var caller = TestThread.running(
                        () -> registry.<String, RuntimeException>withLock(change.apply(REQUEST), lock -> {
                            last().answersRelease = false;
                            action.accept(lock);
                            return "done";
                        }))
                .untilItWaits();
        assertThat(last().releases.get()).isPositive();
        assertThat(last().unawaitedReleases).hasValue(0);

        last().releaseAnswer.complete(true);

        assertThat(caller.value()).isEqualTo("done");
    }

    @Test
    void aShortestHoldOfZeroIsNone() {
        assertThat(section(REQUEST.holdAtLeast(Duration.ZERO)).unawaitedReleases)
                .hasValue(1);
    }

    @Test
    void aHandleThatIsReleasedByHandIsAwaited() throws Exception {
        LockHandle handle = registry.acquire(REQUEST);
        last().answersRelease = false;
        var closer = TestThread.running(() -> {
                    handle.close();
                    return "closed";
                })
                .untilItWaits();
        assertThat(last().unawaitedReleases).hasValue(0);

        last().releaseAnswer.complete(true);

        assertThat(closer.value()).isEqualTo("closed");
    }

    @Test
    void aCallerForWhomThereIsNoRoomAwaitsItsOwnRelease() throws Exception {
        FakeGrant first = fillRoom();
        var next = TestThread.running(() -> section(REQUEST)).untilItWaits();
        assertThat(last().releases).hasValue(1);

        first.releaseAnswer.complete(true);
        assertThat(next.isDone()).as("its own release").isFalse();
        last().releaseAnswer.complete(true);
        next.value();

        assertThat(section(REQUEST).unawaitedReleases)
                .as("the first has made room")
                .hasValue(1);
    }

    /** @return the grant of the first release that is under way */
    private FakeGrant fillRoom() {
        for (int i = 0; i < FakeEngine.ROOM; i++) {
            section(REQUEST);
        }
        return engine.attempt(0).grant;
    }

    @Test
    void aThreadOfTheRegistryNeverWaitsForRoom() {
        fillRoom();
        engine.answer = attempt -> null;
        CompletableFuture<FakeGrant> onThreadOfRegistry = registry.acquireAsync(LockRequest.of("other"))
                .thenApply(handle -> {
                    assertThat(Thread.currentThread()).isInstanceOf(RegistryThread.class);
                    return section(REQUEST);
                });
        engine.granting();
        engine.attempt(FakeEngine.ROOM).grant();

        assertThat(onThreadOfRegistry.orTimeout(10, TimeUnit.SECONDS).join().releaseAnswer)
                .isNotDone();
    }

    @Test
    void aLossThatOnlyTheAnswerShowsIsToldByTheCallbackOfTheHandle() {
        CompletableFuture<Void> lost = new CompletableFuture<>();
        registry.withLock(REQUEST, lock -> {
            last().answersRelease = false;
            lock.onLost(() -> lost.complete(null));
            return 0;
        });

        last().lose();
        last().releaseAnswer.complete(false);

        lost.orTimeout(10, TimeUnit.SECONDS).join();
    }

    @Test
    void aLossThatIsKnownWhenTheSectionEndsIsThrown() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> registry.withLock(REQUEST, lock -> {
                    last().lose();
                    return 0;
                }));
        assertThat(section(REQUEST).unawaitedReleases)
                .as("it takes no room for long")
                .hasValue(1);
    }

    @Test
    void anObserverHearsOfTheEndAfterTheAnswerAndNotOnTheThreadThatBringsIt() throws Exception {
        List<Thread> heard = new CopyOnWriteArrayList<>();
        registry.observe(request -> new LockObserver.Attempt() {
            @Override
            public void granted(long fencingToken, OptionalLong ahead) {}

            @Override
            public void notGranted(boolean timedOut, OptionalLong ahead) {}

            @Override
            public void released() {
                heard.add(Thread.currentThread());
            }

            @Override
            public void lost() {}
        });
        FakeGrant grant = section(REQUEST);
        assertThat(heard).isEmpty();

        grant.releaseAnswer.complete(true);

        await().until(() -> heard, Matchers.hasSize(1));
        assertThat(heard.get(0)).isInstanceOf(RegistryThread.class);
    }

    @Test
    void theEngineIsToldWhetherAReleaseIsAwaitedAndForHowLongItsEntryMayStay() {
        Duration stay = Duration.ofMillis(3);
        section(REQUEST);
        section(REQUEST.stay(stay));
        registry.acquire(REQUEST.stay(stay).awaitRelease(true));

        assertThat(engine.attempts)
                .extracting(attempt -> attempt.spec.release())
                .containsExactly(
                        new ReleaseTerms(false, Duration.ofMillis(10)),
                        new ReleaseTerms(false, stay),
                        ReleaseTerms.AWAITED);
    }
}
