package io.dynamolock.internal.threads;

import io.dynamolock.LockEvent;
import io.dynamolock.concurrency.Race;
import io.dynamolock.concurrency.StressCase;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.TimeSource;
import java.util.List;
import java.util.stream.Stream;

/**
 * Events of several threads reach the listener one at a time and once each, and events of one thread in their order.
 */
public final class ListenerStress {

    private static final StoreFailure FAILURE = new StoreFailure(StoreFailure.Kind.UNAVAILABLE, "no answer", null);

    /** What a listener has heard, kept without any synchronization. */
    private static final class Play extends Race<Void> {

        final ListenerQueue queue = new ListenerQueue(List.of(this::hear), TimeSource.system());
        private String heard = "";

        private void hear(LockEvent event) {
            heard += ((LockEvent.StoreCallFailed) event).operation();
        }

        void add(String... events) {
            for (String event : events) {
                queue.storeCallFailed(event, FAILURE);
            }
        }

        String heard() {
            queue.shutdown();
            while (queue.thread.getPoolSize() > 0) {
                Thread.yield();
            }
            return heard;
        }
    }

    private ListenerStress() {}

    public static Stream<StressCase> cases() {
        return Stream.of(
                StressCase.of(
                        "two threads",
                        Play::new,
                        play -> play.between(() -> play.add("a", "b"), () -> play.add("x", "y"), play::heard),
                        "abxy",
                        "axby",
                        "axyb",
                        "xyab",
                        "xaby",
                        "xayb"),
                // Events from before the end are told, and only once.
                StressCase.of(
                        "events and shutdown",
                        Play::new,
                        play -> {
                            play.add("x");
                            play.between(() -> play.add("a", "b"), play.queue::shutdown, play::heard);
                        },
                        "x",
                        "xa",
                        "xab"));
    }
}
