package io.dynamolock;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.store.StoreFailure;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Events of several threads reach the listener one at a time, each once, and those of one thread in their order. */
public class ListenerStress {

    /** What a listener hears; it is written without any care for threads. */
    static final class Play {

        private static final StoreFailure FAILURE = new StoreFailure(StoreFailure.Kind.UNAVAILABLE, "no answer", null);

        final ListenerQueue queue = new ListenerQueue(List.of(this::hear), TimeSource.system());
        private String heard = "";

        private void hear(LockEvent event) {
            heard += ((LockEvent.StoreCallFailed) event).operation();
        }

        void add(String event) {
            queue.storeCallFailed(event, FAILURE);
        }

        String heard() {
            queue.shutdown();
            while (queue.hasThread()) {
                Thread.yield();
            }
            return heard;
        }
    }

    @JCStressTest
    @Outcome(
            id = {"abxy", "axby", "axyb", "xyab", "xaby", "xayb"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "An event lost, doubled or out of order.")
    @State
    public static class TwoThreads {

        private final Play play = new Play();

        @Actor
        public void one() {
            play.add("a");
            play.add("b");
        }

        @Actor
        public void other() {
            play.add("x");
            play.add("y");
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = play.heard();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"x", "xa", "xab"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "An event lost that came before the end, or told twice.")
    @State
    public static class EventsAndShutdown {

        private final Play play = new Play();

        public EventsAndShutdown() {
            play.add("x");
        }

        @Actor
        public void events() {
            play.add("a");
            play.add("b");
        }

        @Actor
        public void shutDown() {
            play.queue.shutdown();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = play.heard();
        }
    }
}
