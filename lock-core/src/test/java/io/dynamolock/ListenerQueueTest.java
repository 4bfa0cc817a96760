package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.engine.AcquireSpec;
import io.dynamolock.engine.LossReason;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.StoreFailure;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ListenerQueueTest {

    private static final AcquireSpec SPEC = new AcquireSpec(new LockKey("k", "n"), "orders", Duration.ZERO, null, null);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<LockEvent> heard = new CopyOnWriteArrayList<>();
    private final LockListener recorder = new Recorder();

    @Test
    void passesOnEverythingTheEngineSaysInOrder() {
        ListenerRelay relay = new ListenerRelay(new ListenerQueue(recorder));
        StoreFailure failure = new StoreFailure(StoreFailure.Kind.THROTTLED, "slow down", null);
        SessionId session = new SessionId(new UUID(0, 1));

        relay.sessionStarted(session);
        relay.queued(SPEC, 7, 3);
        relay.acquired(SPEC, 7, SECOND, true);
        relay.timedOut(SPEC, SECOND);
        relay.abandoned(SPEC, SECOND);
        relay.released(SPEC, 7, SECOND);
        relay.lost(SPEC, 8, SECOND, LossReason.SESSION_LOST);
        relay.lost(SPEC, 8, SECOND, LossReason.MAX_HOLD);
        relay.lost(SPEC, 8, SECOND, LossReason.TAKEN_AWAY);
        relay.lost(SPEC, 8, SECOND, LossReason.CLOSED);
        relay.sessionLost(session);
        relay.storeCallFailed("claim", failure);

        await().until(() -> heard.size() == 12);
        assertThat(heard)
                .containsExactly(
                        new LockEvent.SessionStarted(session.toString()),
                        new LockEvent.Queued("k", "n", "orders", 7, 3),
                        new LockEvent.Acquired("k", "n", "orders", 7, SECOND, true),
                        new LockEvent.TimedOut("k", "n", "orders", SECOND),
                        new LockEvent.Abandoned("k", "n", "orders", SECOND),
                        new LockEvent.Released("k", "n", "orders", 7, SECOND),
                        new LockEvent.Lost("k", "n", "orders", 8, SECOND, "session-lost"),
                        new LockEvent.Lost("k", "n", "orders", 8, SECOND, "max-hold"),
                        new LockEvent.Lost("k", "n", "orders", 8, SECOND, "taken-away"),
                        new LockEvent.Lost("k", "n", "orders", 8, SECOND, "closed"),
                        new LockEvent.SessionLost(session.toString()),
                        new LockEvent.StoreCallFailed("claim", failure));
    }

    @Test
    void callsOneAtATimeAndInOrder() {
        List<Integer> order = new CopyOnWriteArrayList<>();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ListenerQueue queue = new ListenerQueue(recorder);

        IntStream.range(0, 1_000)
                .forEach(i -> queue.add(listener -> {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    order.add(i);
                    inside.decrementAndGet();
                }));

        await().until(() -> order.size() == 1_000);
        assertThat(order).isSorted();
        assertThat(most).hasValue(1);
    }

    @Test
    void goesOnAfterAListenerThatThrows() {
        ListenerQueue queue = new ListenerQueue(recorder);

        queue.add(listener -> {
            throw new IllegalStateException("a listener of the user's that fails, on purpose");
        });
        queue.add(listener -> {
            throw new AssertionError("worse, on purpose");
        });
        queue.add(listener -> listener.sessionLost(new LockEvent.SessionLost("s")));

        await().until(() -> heard.size() == 1);
    }

    @Test
    void dropsWhatAStuckListenerCannotTakeInsteadOfWaiting() {
        CountDownLatch stuck = new CountDownLatch(1);
        AtomicInteger told = new AtomicInteger();
        ListenerQueue queue = new ListenerQueue(recorder);
        queue.add(listener -> {
            told.incrementAndGet();
            awaitQuietly(stuck);
        });
        await().until(() -> told.get() == 1);

        for (int i = 0; i < ListenerQueue.CAPACITY + 10; i++) {
            queue.add(listener -> told.incrementAndGet());
        }
        stuck.countDown();

        await().until(() -> told.get() == ListenerQueue.CAPACITY + 1);
        queue.add(listener -> told.addAndGet(1_000_000));
        await().until(() -> told.get() == ListenerQueue.CAPACITY + 1 + 1_000_000);
    }

    @Test
    void tellsWhatComesBeforeAndAfterItsShutdownAndThenEndsItsThread() {
        CountDownLatch stuck = new CountDownLatch(1);
        ListenerQueue queue = new ListenerQueue(recorder);
        queue.add(listener -> awaitQuietly(stuck));
        queue.add(listener -> listener.sessionLost(new LockEvent.SessionLost("before")));

        queue.shutdown();
        queue.add(listener -> listener.sessionLost(new LockEvent.SessionLost("after")));
        stuck.countDown();

        await().until(() -> !queue.hasThread());
        assertThat(heard).containsExactly(new LockEvent.SessionLost("before"), new LockEvent.SessionLost("after"));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Recorder implements LockListener {

        @Override
        public void queued(LockEvent.Queued event) {
            heard.add(event);
        }

        @Override
        public void acquired(LockEvent.Acquired event) {
            heard.add(event);
        }

        @Override
        public void timedOut(LockEvent.TimedOut event) {
            heard.add(event);
        }

        @Override
        public void abandoned(LockEvent.Abandoned event) {
            heard.add(event);
        }

        @Override
        public void released(LockEvent.Released event) {
            heard.add(event);
        }

        @Override
        public void lost(LockEvent.Lost event) {
            heard.add(event);
        }

        @Override
        public void sessionStarted(LockEvent.SessionStarted event) {
            heard.add(event);
        }

        @Override
        public void sessionLost(LockEvent.SessionLost event) {
            heard.add(event);
        }

        @Override
        public void storeCallFailed(LockEvent.StoreCallFailed event) {
            heard.add(event);
        }
    }
}
