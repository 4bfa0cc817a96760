package io.dynamolock.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockEvent;
import io.dynamolock.LockListener;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.engine.Specs;
import io.dynamolock.internal.engine.StayEnd;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.store.StoreFailure.Throttling;
import io.dynamolock.internal.store.StoreFailure.Unreadable;
import io.dynamolock.internal.testing.FakeGrant;
import io.dynamolock.internal.testing.TestThread;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ListenerQueueTest {

    private static final AcquireSpec SPEC =
            Specs.exclusive(new LockKey("k", "n")).notWaiting().named("orders").spec();
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final SessionId SESSION = SessionId.of(1);
    private static final StoreFailure FAILURE = new StoreFailure(StoreFailure.Kind.UNAVAILABLE, "no answer", null);
    private static final StoreFailure HOT = StoreFailure.throttled(Throttling.KEY_RANGE, SPEC.key(), "slow down", null);
    private static final StoreFailure FULL = StoreFailure.throttled(Throttling.TABLE_CAPACITY, null, "slow down", null);

    private static final StoreFailure LATER_FORMAT = StoreFailure.unreadable(
            new Unreadable(Unreadable.Item.LOCK, Unreadable.Reason.FORMAT), SPEC.key(), false, "upgrade", null);
    private static final StoreFailure MALFORMED = StoreFailure.unreadable(
            new Unreadable(Unreadable.Item.SESSION, Unreadable.Reason.MALFORMED), null, false, "mend it", null);

    private static final List<LockEvent> EVERY_EVENT = List.of(
            new LockEvent.SessionStarted(SESSION.toString()),
            new LockEvent.Queued("k", "n", "orders", 7, 3),
            new LockEvent.QueueFull("k", "n", "orders", 200),
            new LockEvent.Acquired("k", "n", "orders", 7, SECOND, true),
            new LockEvent.TimedOut("k", "n", "orders", SECOND),
            new LockEvent.Evicted("k", "n", "orders", SECOND),
            new LockEvent.Abandoned("k", "n", "orders", SECOND),
            new LockEvent.Released("k", "n", "orders", 7, SECOND),
            new LockEvent.Lost("k", "n", "orders", 8, SECOND, "session-lost"),
            new LockEvent.Lost("k", "n", "orders", 8, SECOND, "max-hold"),
            new LockEvent.Lost("k", "n", "orders", 8, SECOND, "taken-away"),
            new LockEvent.Lost("k", "n", "orders", 8, SECOND, "evicted"),
            new LockEvent.Lost("k", "n", "orders", 8, SECOND, "closed"),
            new LockEvent.Lost("k", "n", "orders", 8, SECOND, "paused"),
            new LockEvent.StayEnded("k", "n", "orders", "came-back"),
            new LockEvent.StayEnded("k", "n", "orders", "unused"),
            new LockEvent.StayEnded("k", "n", "orders", "taken"),
            new LockEvent.StayEnded("k", "n", "orders", "cut-short"),
            new LockEvent.SessionLost(SESSION.toString()),
            new LockEvent.StoreCallFailed("leave", "unavailable", FAILURE),
            new LockEvent.StoreCallConflicted("edit"),
            new LockEvent.StoreCallFailed("ask", "throttled", HOT),
            new LockEvent.Throttled("k", "n", "ask", "key-range"),
            new LockEvent.StoreCallFailed("beat", "throttled", FULL),
            new LockEvent.Throttled(null, null, "beat", "table-capacity"),
            new LockEvent.StoreCallFailed("edit", "unreadable", LATER_FORMAT),
            new LockEvent.Unreadable("k", "n", "edit", "lock", "format"),
            new LockEvent.StoreCallFailed("read sessions", "unreadable", MALFORMED),
            new LockEvent.Unreadable(null, null, "read sessions", "session", "malformed"));

    private static final AcquireOutcome GRANTED = new AcquireOutcome.Granted(new FakeGrant(SPEC.key(), 7));

    private final List<LockEvent> heard = new CopyOnWriteArrayList<>();

    @Test
    void passesOnEverythingTheEngineSaysInOrder() {
        ListenerQueue queue = telling(heard::add);

        queue.sessionStarted(SESSION);
        queue.queued(SPEC, 7, 3);
        queue.foundFull(SPEC, 200);
        queue.ended(SPEC, GRANTED, SECOND, true);
        queue.ended(SPEC, new AcquireOutcome.TimedOut(SECOND, 1, null), SECOND, true);
        queue.ended(SPEC, new AcquireOutcome.Evicted(SECOND), SECOND, true);
        queue.ended(SPEC, new AcquireOutcome.Abandoned(), SECOND, true);
        queue.released(SPEC, 7, SECOND);
        for (LossReason reason : LossReason.values()) {
            queue.lost(SPEC, 8, SECOND, reason);
        }
        for (StayEnd how : StayEnd.values()) {
            queue.stayEnded(SPEC, how);
        }
        queue.sessionLost(SESSION);
        queue.storeCallFailed("leave", FAILURE);
        queue.storeCallFailed("edit", new StoreFailure(StoreFailure.Kind.CONFLICTED, "a fenced write", null));
        queue.storeCallFailed("ask", HOT);
        queue.storeCallFailed("beat", FULL);
        queue.storeCallFailed("edit", LATER_FORMAT);
        queue.storeCallFailed("read sessions", MALFORMED);

        await().until(() -> heard.size() == EVERY_EVENT.size());
        assertThat(heard).containsExactlyElementsOf(EVERY_EVENT);
    }

    @Test
    void everyListenerHearsInOrderEvenIfAnotherFails() {
        List<String> heard = new CopyOnWriteArrayList<>();
        ListenerQueue queue = new ListenerQueue(
                List.of(
                        event -> {
                            heard.add("first");
                            throw new IllegalStateException("a listener of the user's that fails, on purpose");
                        },
                        event -> heard.add("second")),
                TimeSource.system());
        queue.sessionStarted(SESSION);
        await().until(() -> heard.size() == 2);

        queue.add(event -> heard.add("late"));
        queue.sessionLost(SESSION);

        await().until(() -> heard.size() == 5);
        assertThat(heard).containsExactly("first", "second", "first", "second", "late");
    }

    @Test
    void aListenerHearsNothingOfEventsBeforeItWasAdded() {
        CountDownLatch stuck = new CountDownLatch(1);
        ListenerQueue queue = telling(event -> TestThread.awaitQuietly(stuck));
        queue.released(SPEC, 1, SECOND);
        queue.released(SPEC, 2, SECOND);

        queue.add(heard::add);
        queue.released(SPEC, 3, SECOND);
        stuck.countDown();

        await().until(() -> !heard.isEmpty());
        assertThat(heard)
                .extracting(event -> ((LockEvent.Released) event).fencingToken())
                .containsExactly(3L);
    }

    @Test
    void aListenerThatIsGivenTwiceHearsOnce() {
        LockListener listener = heard::add;
        ListenerQueue queue = new ListenerQueue(List.of(listener, listener), TimeSource.system());

        queue.sessionStarted(SESSION);
        queue.add(listener);
        queue.sessionLost(SESSION);

        await().until(() -> heard.contains(new LockEvent.SessionLost(SESSION.toString())));
        assertThat(heard).hasSize(2);
    }

    @Test
    void goesOnAfterAListenerThatThrows() {
        ListenerQueue queue = telling(event -> {
            if (event instanceof LockEvent.Queued) {
                throw new IllegalStateException("a listener of the user's that fails, on purpose");
            } else if (event instanceof LockEvent.Acquired) {
                throw new AssertionError("worse, on purpose");
            }
            heard.add(event);
        });

        queue.queued(SPEC, 7, 3);
        queue.ended(SPEC, GRANTED, SECOND, true);
        queue.released(SPEC, 7, SECOND);

        await().until(() -> heard.size() == 1);
    }

    @Test
    void aListenerThatHangsMissesEventsAndDelaysNobody() {
        CountDownLatch stuck = new CountDownLatch(1);
        AtomicInteger told = new AtomicInteger();
        ListenerQueue queue = telling(event -> {
            told.incrementAndGet();
            TestThread.awaitQuietly(stuck);
        });
        queue.sessionStarted(SESSION);
        await().until(() -> told.get() == 1);

        for (int i = 0; i < ListenerQueue.CAPACITY + 10; i++) {
            queue.released(SPEC, i, SECOND);
        }
        stuck.countDown();

        await().until(() -> told.get() == ListenerQueue.CAPACITY + 1);
        queue.sessionLost(SESSION);
        await().until(() -> told.get() == ListenerQueue.CAPACITY + 2);
    }

    @Test
    void tellsEventsBeforeAndAfterItsShutdownAndEndsItsThread() {
        CountDownLatch stuck = new CountDownLatch(1);
        ListenerQueue queue = telling(event -> {
            TestThread.awaitQuietly(stuck);
            heard.add(event);
        });
        queue.released(SPEC, 1, SECOND);
        queue.released(SPEC, 2, SECOND);

        queue.shutdown();
        queue.released(SPEC, 3, SECOND);
        stuck.countDown();

        await().until(() -> queue.thread.getPoolSize() == 0);
        assertThat(heard)
                .extracting(event -> ((LockEvent.Released) event).fencingToken())
                .containsExactly(1L, 2L, 3L);
    }

    private static ListenerQueue telling(Consumer<LockEvent> listener) {
        return new ListenerQueue(List.of(listener::accept), TimeSource.system());
    }
}
