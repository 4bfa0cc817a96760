package io.dynamolock.internal.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A session that is over stays over, whatever answers to heartbeats come late. */
public class ValidityStress {

    private static final Duration LASTS = Duration.ofSeconds(19);

    private static Validity sentAt(StoppedTime time, Duration monotonic, Duration wall) {
        return new Validity(SessionId.of(1), LASTS, time, time.sending(monotonic, wall));
    }

    @JCStressTest
    @Outcome(id = "true true true", expect = ACCEPTABLE, desc = "The heartbeat was first.")
    @Outcome(id = "false false false", expect = ACCEPTABLE, desc = "The end was noticed first.")
    @Outcome(expect = FORBIDDEN, desc = "Back from the dead.")
    @State
    public static class ExpiryAndHeartbeat {

        private final StoppedTime time = new StoppedTime();
        private final Validity validity = sentAt(time, Duration.ZERO, Duration.ZERO);
        private boolean first;
        private boolean second;

        public ExpiryAndHeartbeat() {
            time.advance(LASTS);
        }

        @Actor
        public void look() {
            first = validity.isValid();
            second = validity.isValid();
        }

        @Actor
        public void heartbeat() {
            validity.extend(Validity.Sending.now(time));
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = first + " " + second + " " + validity.isValid();
        }
    }

    @JCStressTest
    @Outcome(id = "false", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Back from the dead.")
    @State
    public static class EndAndHeartbeat {

        private final StoppedTime time = new StoppedTime();
        private final Validity validity = sentAt(time, Duration.ZERO, Duration.ZERO);

        @Actor
        public void finish() {
            validity.end();
        }

        @Actor
        public void heartbeat() {
            validity.extend(Validity.Sending.now(time));
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = String.valueOf(validity.isValid());
        }
    }

    /** The old heartbeat is bounded by the monotonic clock, the new one by the wall clock: a mixture would last longer. */
    @JCStressTest
    @Outcome(
            id = {"PT10S", "PT15S"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "One clock of the one heartbeat, the other of the other.")
    @State
    public static class RemainderAndHeartbeat {

        private final StoppedTime time = new StoppedTime();
        private final Validity validity = sentAt(time, until(10), until(30));
        private Duration remaining;

        private static Duration until(long seconds) {
            return Duration.ofSeconds(seconds).minus(LASTS);
        }

        @Actor
        public void look() {
            remaining = validity.remaining();
        }

        @Actor
        public void heartbeat() {
            validity.extend(time.sending(until(40), until(15)));
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = remaining.toString();
        }
    }
}
