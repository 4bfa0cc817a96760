package io.dynamolock.model;

import io.dynamolock.model.Weakening.Property;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Takes one condition after the other out of the specification: a promise must break every time. */
final class SpecTeeth {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    static final List<Weakening> ALL = List.of(
            Weakening.of("claim without 'serving <'", "Order", Property.ServingRises)
                    .replacing(
                            "Write(d, c, /\\ d.serving < c.last\n                /\\ d.holder = None",
                            "Write(d, c, /\\ TRUE\n                /\\ d.holder = None")
                    .setting("Slow", "= {\"claim\"}")
                    .setting("Kinds", "= {\"twice\"}"),
            Weakening.of("claim whoever holds the lock", "Order", Property.MutualExclusion)
                    .replacing("/\\ d.holder = None \\/ d.holder = c.other,", "/\\ TRUE,")
                    .setting("Slow", "= {\"enter\", \"claim\"}")
                    .setting("Faults", "= 0"),
            Weakening.of("claim without being first", "Order", Property.NobodyIsPassed)
                    .replacing("ELSE IF vacant /\\ ahead = {} THEN", "ELSE IF vacant THEN")
                    .setting("Slow", "= {}"),
            Weakening.of("try while others have numbers", "Order", Property.NobodyIsPassed)
                    .replacing("d.holder = None /\\ d.tail = d.serving,", "d.holder = None,")
                    .setting("Slow", "= {}"),
            Weakening.of("hand over past another's number", "Order", Property.NobodyIsPassed)
                    .replacing(
                            "LET reachable(i) == /\\ m.blocks[i].reach = m.blocks[i - 1].last + 1",
                            "LET reachable(i) == /\\ TRUE")
                    .setting("Slow", "= {}"),
            Weakening.of("hand over without 'serving <'", "Order", Property.ServingRises)
                    .replacing(
                            "/\\ d.holder = c.other\n                /\\ d.serving < c.last,",
                            "/\\ d.holder = c.other,")
                    .setting("Slow", "= {\"try\", \"handOver\"}")
                    .setting("Faults", "= 2")
                    .setting("Kinds", "= {\"twice\"}"),
            Weakening.of("release whoever holds the lock", "Order", Property.ValidHandleIsTheHolder)
                    .replacing(
                            "IF d.holder = c.id THEN [d EXCEPT !.holder = None]",
                            "IF TRUE THEN [d EXCEPT !.holder = None]")
                    .setting("Slow", "= {\"release\"}")
                    .setting("Kinds", "= {\"twice\"}"),
            Weakening.of("bury whatever the beat", "Sessions", Property.MutualExclusion)
                    .replacing("IF d.sess[c.id] = c.beat \\/ ~Alive(d, c.id)", "IF TRUE")
                    .setting("Slow", "= {\"readSession\"}"),
            Weakening.of("bury before a whole lease is over", "Sessions", Property.MutualExclusion)
                    .replacing("!.watch[q].left = Lease]", "!.watch[q].left = Lease - 1]")
                    .setting("Slow", "= {}"),
            Weakening.of("bury though it has beaten meanwhile", "Sessions", Property.MutualExclusion)
                    .replacing("IF w.beat # c.beat THEN", "IF w.beat = Gone THEN")
                    .setting("Slow", "= {}"),
            Weakening.of("validity from the answer to a beat, not its sending", "Sessions", Property.MutualExclusion)
                    .replacing(
                            "!.left = m.sent, !.sent = NoBeat, !.settled", "!.left = Lease, !.sent = NoBeat, !.settled")
                    .setting("Lease", "= 3")
                    .setting("Slow", "= {\"beat\"}"),
            Weakening.of("grant without a look at the session's validity", "Sessions", Property.GrantsAreValid)
                    .replacing("THEN IF m.left > 0\n", "THEN IF TRUE\n")
                    .setting("Slow", "= {\"try\"}"),
            Weakening.of("beat a session that is gone", "Sessions", Property.TheDeadStayDead)
                    .replacing("    IF Alive(d, c.id)\n    THEN LET e", "    IF TRUE\n    THEN LET e")
                    .setting("Slow", "= {\"beat\"}"),
            Weakening.of("end a session without deleting its item", "Liveness", Property.NothingIsLeft)
                    .replacing("(IF gone THEN {} ELSE {Call(\"endSession\", Session(p, m))})", "{}")
                    .setting("Sessions", "<- TwoAndOneSession")
                    .setting("Slow", "= {}"),
            Weakening.of("no undo", "Liveness", Property.NothingIsLeft)
                    .replacing("(IF b.uncertain THEN {Undo(b.id)} ELSE {})", "{}")
                    .setting("Slow", "= {\"claim\"}")
                    .setting("Kinds", "= {\"unheard\"}")
                    .setting("Leavers", "= {b1}"),
            Weakening.of("no eviction", "Liveness", Property.WaitersAreServed)
                    .replacing("ELSE Send([m EXCEPT !.open = NotOpen], {DeleteRow(row.first, row.id)})", "ELSE m")
                    .setting("Home", "<- TwoAndOne")
                    .setting("Slow", "= {\"enter\"}")
                    .setting("Leavers", "= {b1}"),
            Weakening.of("no answer to a dispute", "Liveness", Property.WaitersAreServed)
                    .replacing("{Undo(id) : id \\in {x \\in c.rows : ~Knows(m, x)}}", "{}"),
            Weakening.of("no release of one's own forgotten block", "Liveness", Property.WaitersAreServed)
                    .replacing("ELSE IF c.holder # None /\\ stray(c.holder) THEN", "ELSE IF FALSE THEN")
                    .setting("Home", "<- BothOnOne"));

    private SpecTeeth() {}

    /** Checks the weakened specification. */
    static TlcResult bite(Weakening weakening, Path directory) {
        return Tlc.in(directory)
                .check(
                        "Model",
                        weakening.configuration(),
                        (file, text) -> switch (file) {
                            case "DynamoLock.tla" -> weakening.applyToSpecification(text);
                            default ->
                                file.equals(weakening.configuration() + ".cfg")
                                        ? weakening.applyToConfiguration(text)
                                        : text;
                        },
                        LIMIT);
    }

    /** Prints what each weakening breaks, for {@code docs/testing.md}; without them, that nothing is broken. */
    public static void main(String[] arguments) throws IOException {
        boolean control = List.of(arguments).contains("--control");
        List<String> configurations = List.of(arguments).stream()
                .filter(argument -> !argument.startsWith("-"))
                .toList();
        for (Weakening weakening : ALL) {
            if (!configurations.isEmpty() && !configurations.contains(weakening.configuration())) {
                continue;
            }
            Weakening checked = control ? weakening.undone() : weakening;
            long started = System.nanoTime();
            TlcResult result = bite(checked, Files.createTempDirectory("teeth"));
            String expected = control ? "" : weakening.caughtBy().inTlcsWords();
            Duration took = Duration.ofNanos(System.nanoTime() - started);
            boolean asExpected = result.violated().equals(expected) && (!control || result.isGreen());
            System.out.printf(
                    "%s | %s | %s | %s | %d | %.1f s%n",
                    asExpected ? "ok" : "NOT AS EXPECTED",
                    weakening.what(),
                    weakening.caughtBy(),
                    result.violated(),
                    result.statesFound(),
                    took.toMillis() / 1000.0);
            if (!asExpected) {
                System.out.println(result.output().lines().limit(400).reduce("", (a, b) -> a + b + "\n"));
            }
        }
    }
}
