package io.dynamolock.internal.handles;

import io.dynamolock.concurrency.Race;
import io.dynamolock.concurrency.StressCase;
import io.dynamolock.internal.engine.EngineInPlay;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.fences.Fences;
import io.dynamolock.internal.threads.FollowedCaller;
import io.dynamolock.internal.threads.RegistryThreads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Many threads on one handle: what it says stays said, and every callback comes once. */
public final class HandleStress {

    /** Has two threads of its own for the news of losses. */
    private static final RegistryThreads.Tellers THREADS = new RegistryThreads(null, task -> task).ofUsers();

    /** A handle, and callbacks that are counted. */
    private static final class Play extends Race<Void> {

        final EngineInPlay engine = new EngineInPlay();
        final Grant grant = engine.hold();
        final GrantHandle handle = new GrantHandle(grant, THREADS, Fences.NONE, FollowedCaller.UNSEEN);
        private final AtomicInteger heard = new AtomicInteger();
        private final AtomicInteger heardToo = new AtomicInteger();

        void listen() {
            handle.onLost(heard::incrementAndGet);
        }

        void listenToo() {
            handle.onLost(heardToo::incrementAndGet);
        }

        void lose() {
            EngineInPlay.lose(grant);
        }

        String callbacks() {
            awaitCallbacks();
            // So that the shared cleaner has nothing to do.
            handle.startRelease();
            return heard + " " + heardToo;
        }
    }

    private HandleStress() {}

    /**
     * Both threads here at the same time: whatever was handed in before is done. Only one at a time, for two who
     * ask for both threads could get one each.
     */
    private static synchronized void awaitCallbacks() {
        CountDownLatch both = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            THREADS.losses().execute(() -> {
                both.countDown();
                awaitZero(both);
            });
        }
        awaitZero(both);
    }

    private static void awaitZero(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static Stream<StressCase> cases() {
        return Stream.of(
                StressCase.of(
                        "callback and loss",
                        Play::new,
                        play -> {
                            play.listen();
                            play.between(play::listenToo, play::lose, play::callbacks);
                        },
                        "1 1"),
                StressCase.of(
                        "two callbacks",
                        Play::new,
                        play -> play.between(play::listen, play::listenToo, () -> {
                            play.lose();
                            return play.callbacks();
                        }),
                        "1 1"));
    }
}
