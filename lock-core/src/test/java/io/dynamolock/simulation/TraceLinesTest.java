package io.dynamolock.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.LockKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the simulator writes for the specification to check. */
class TraceLinesTest {

    private static final LockKey KEY = new LockKey("k0", "default");

    private static List<String> traceOf(long seed) {
        TraceLines trace = new TraceLines(KEY);
        Outcome outcome = Simulation.run(seed, Twist.NONE, trace);
        assertThat(outcome.violation()).as("seed " + seed).isNull();
        return trace.lines();
    }

    @Test
    void tellsEverythingThatHappenedToOneLock() {
        StringBuilder all = new StringBuilder();
        for (long seed = 0; seed < 10; seed++) {
            List<String> lines = traceOf(seed);
            assertThat(lines).allMatch(line -> line.startsWith("[event |-> \"") && line.endsWith("]"));
            lines.forEach(line -> all.append(line).append('\n'));
        }
        for (String event : List.of("Send", "Land", "Hear", "Grant", "LetGo", "Release", "Lose", "Session")) {
            assertThat(all).contains("[event |-> \"" + event + "\"");
        }
        for (String call : List.of("ask", "grow", "leave", "rename", "look", "begin", "beat", "bury", "end", "read")) {
            assertThat(all).contains("call |-> \"" + call + "\"");
        }
    }

    @Test
    void whoWritesATraceChangesNothing() {
        assertThat(Simulation.run(3, Twist.NONE, new TraceLines(KEY)).history())
                .isEqualTo(Simulation.run(3).history());
    }

    @Test
    void ticketsKeepTheirDistancesAndTheirOrder() {
        TicketScale scale = new TicketScale();
        scale.begins(5_000_000_000_000L);
        long first = scale.show(5_000_000_000_001L);
        assertThat(scale.show(5_000_000_000_007L)).isEqualTo(first + 6);

        scale.begins(6_000_000_000_000L);
        long second = scale.show(6_000_000_000_001L);
        assertThat(second).isGreaterThan(first + 6).isLessThan(Integer.MAX_VALUE);

        scale.begins(4_000_000_000_000L);
        assertThat(scale.show(4_000_000_000_001L)).isLessThan(first).isPositive();
        assertThat(scale.show(5_000_000_000_007L)).isEqualTo(first + 6);
    }
}
