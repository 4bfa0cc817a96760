package io.dynamolock.internal.handles;

import io.dynamolock.concurrency.Race;
import io.dynamolock.concurrency.StressCase;
import io.dynamolock.internal.engine.EngineInPlay;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.fences.Fences;
import io.dynamolock.internal.threads.ObservedCaller;
import io.dynamolock.internal.threads.RegistryThreads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Many threads use one handle: its answers do not change back, and every callback is called once. */
public final class HandleStress {

    /** A registry with two threads for the callbacks of losses. */
    private static final RegistryThreads.CallbackExecutors THREADS = new RegistryThreads(null, task -> task).ofUsers();

    /** A handle whose callbacks are counted. */
    private static final class Play extends Race<Void> {

        final EngineInPlay engine = new EngineInPlay();
        final Grant grant = engine.hold();
        final GrantHandle handle =
                new GrantHandle(grant, THREADS, Fences.NONE, new UnawaitedReleases(8), ObservedCaller.UNOBSERVED);
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
            // Released, so that the shared cleaner has nothing to do.
            handle.startRelease();
            return heard + " " + heardToo;
        }
    }

    private HandleStress() {}

    /**
     * When both threads are here at the same time, everything that was submitted before has run. One caller at a time,
     * because two callers could get one thread each and wait for ever.
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
