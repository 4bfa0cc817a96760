package io.dynamolock.engine;

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

/** A session that is over stays over, whatever beats come late. */
public class SessionStress {

    private static final SessionId ID = SessionId.of(1);

    private static Session sessionSentAt(StoppedTime time, Duration monotonic, Duration wall) {
        return new Session(ID, GrantInPlay.SETTINGS, time, time.sending(monotonic, wall));
    }

    @JCStressTest
    @Outcome(id = "true true true", expect = ACCEPTABLE, desc = "The beat was first.")
    @Outcome(id = "false false false", expect = ACCEPTABLE, desc = "The end was noticed first.")
    @Outcome(expect = FORBIDDEN, desc = "Back from the dead.")
    @State
    public static class ExpiryAndBeat {

        private final StoppedTime time = new StoppedTime();
        private final Session session = sessionSentAt(time, Duration.ZERO, Duration.ZERO);
        private boolean first;
        private boolean second;

        public ExpiryAndBeat() {
            time.advance(GrantInPlay.LEASE);
        }

        @Actor
        public void look() {
            first = session.isValid();
            second = session.isValid();
        }

        @Actor
        public void beat() {
            session.extend(Session.Sending.now(time));
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = first + " " + second + " " + session.isValid();
        }
    }

    @JCStressTest
    @Outcome(id = "false", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Back from the dead.")
    @State
    public static class EndAndBeat {

        private final StoppedTime time = new StoppedTime();
        private final Session session = sessionSentAt(time, Duration.ZERO, Duration.ZERO);

        @Actor
        public void finish() {
            session.end();
        }

        @Actor
        public void beat() {
            session.extend(Session.Sending.now(time));
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = String.valueOf(session.isValid());
        }
    }

    /** The old beat is bounded by the monotonic clock, the new one by the wall clock: a mixture would last longer. */
    @JCStressTest
    @Outcome(
            id = {"PT10S", "PT15S"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "One clock of the one beat, the other of the other.")
    @State
    public static class RemainderAndBeat {

        private static final Duration VALID = GrantInPlay.LEASE.minus(GrantInPlay.DRIFT_MARGIN);

        private final StoppedTime time = new StoppedTime();
        private final Session session = sessionSentAt(time, until(10), until(30));
        private Duration remaining;

        private static Duration until(long seconds) {
            return Duration.ofSeconds(seconds).minus(VALID);
        }

        @Actor
        public void look() {
            remaining = session.remaining();
        }

        @Actor
        public void beat() {
            session.extend(time.sending(until(40), until(15)));
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = remaining.toString();
        }
    }
}
