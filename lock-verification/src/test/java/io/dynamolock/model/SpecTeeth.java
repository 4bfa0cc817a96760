package io.dynamolock.model;

import io.dynamolock.model.Weakening.Property;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Takes one condition after the other out of the specification: a promise must break every time. */
final class SpecTeeth {

    private static final Duration LIMIT = Duration.ofMinutes(30);

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
            Weakening.of("try while somebody holds the lock", "Order", Property.ValidHandleIsTheHolder)
                    .replacing("d.holder = None /\\ d.tail = d.serving,", "d.tail = d.serving,")
                    .setting("Slow", "= {}"),
            Weakening.of("rename whoever holds the lock", "Blocks", Property.ValidHandleIsTheHolder)
                    .replacing("Write(d, c, d.holder = c.other, [d EXCEPT", "Write(d, c, TRUE, [d EXCEPT")
                    .setting("Home", "<- TwoAndTwo")
                    .setting("Slow", "= {\"try\", \"rename\"}")
                    .setting("Kinds", "= {\"twice\"}"),
            Weakening.of("hand over without 'serving <'", "Following", Property.ServingRises)
                    .replacing(
                            "/\\ d.holder = c.other\n                /\\ d.serving < c.last,",
                            "/\\ d.holder = c.other,")
                    .setting("Slow", "= {\"handOver\"}")
                    .setting("Kinds", "= {\"twice\"}"),
            Weakening.of("release whoever holds the lock", "Order", Property.ValidHandleIsTheHolder)
                    .replacing(
                            "IF d.holder = c.id THEN [d EXCEPT !.holder = None]",
                            "IF TRUE THEN [d EXCEPT !.holder = None]")
                    .setting("Slow", "= {\"release\"}")
                    .setting("Kinds", "= {\"twice\"}"),
            Weakening.of("bury whatever the beat", "Sessions", Property.MutualExclusion)
                    .replacing("IF d.sess[c.id] = c.beat \\/ ~Alive(d, c.id)", "IF TRUE")
                    .setting("Crashes", "= 0")
                    .setting("Slow", "= {\"readSession\"}"),
            Weakening.of("bury before a whole lease is over", "Sessions", Property.MutualExclusion)
                    .replacing("!.watch[q].left = Lease]", "!.watch[q].left = Lease - 1]")
                    .setting("Crashes", "= 0")
                    .setting("Slow", "= {}"),
            Weakening.of("bury though it has beaten meanwhile", "Sessions", Property.MutualExclusion)
                    .replacing("IF w.beat # c.beat THEN", "IF w.beat = Gone THEN")
                    .setting("Crashes", "= 0")
                    .setting("Slow", "= {}"),
            Weakening.of("validity from the answer to a beat, not its sending", "Sessions", Property.MutualExclusion)
                    .replacing(
                            "!.left = m.sent, !.sent = NoBeat, !.settled", "!.left = Lease, !.sent = NoBeat, !.settled")
                    .setting("Crashes", "= 0")
                    .setting("Lease", "= 3")
                    .setting("Slow", "= {\"beat\"}"),
            Weakening.of("grant without a look at the session's validity", "Sessions", Property.GrantsAreValid)
                    .replacing("ELSE IF m.left > 0\n", "ELSE IF TRUE\n")
                    .setting("Crashes", "= 0")
                    .setting("Slow", "= {\"try\"}"),
            Weakening.of("beat a session that is gone", "Sessions", Property.TheDeadStayDead)
                    .replacing("    IF Alive(d, c.id)\n    THEN LET e", "    IF TRUE\n    THEN LET e")
                    .setting("Crashes", "= 0")
                    .setting("Slow", "= {\"beat\"}"),
            Weakening.of("claim from whoever was seen to hold it", "Sessions", Property.MutualExclusion)
                    .replacing(
                            "        vacant == c.holder = None \\/ IsDead(m, c.holder)\n        n ==",
                            "        vacant == TRUE\n        n ==")
                    .setting("Crashes", "= 0")
                    .setting("Slow", "= {}"),
            Weakening.of("no burial", "Crash", Property.WaitersAreServed)
                    .replacing("Send(m, {[Call(\"bury\", c.id) EXCEPT !.beat = c.beat]})", "m")
                    .setting("Slow", "= {}"),
            Weakening.of("no claim from the dead", "Crash", Property.WaitersAreServed)
                    .replacing("/\\ d.holder = None \\/ d.holder = c.other,", "/\\ d.holder = None,")
                    .setting("Slow", "= {}"),
            Weakening.of("end a session without deleting its item", "Loss", Property.NothingIsLeft)
                    .replacing("(IF gone THEN {} ELSE {Call(\"endSession\", Session(p, m))})", "{}"),
            Weakening.of("callers of a lost session do not go on", "Loss", Property.WaitersAreServed)
                    .replacing("CanStart(p) == me[p].live = \"no\"", "CanStart(p) == FALSE /\\ me[p].live = \"no\""),
            Weakening.of("no undo", "Undo", Property.NothingIsLeft)
                    .replacing("(IF b.uncertain THEN {Undo(b.id)} ELSE {})", "{}"),
            Weakening.of("leave without deleting the row", "Undo", Property.NothingIsLeft)
                    .replacing("(IF b.row THEN {DeleteRow(b.first, b.id)} ELSE {}) \\cup", "{} \\cup"),
            Weakening.of("a release is sent once", "HandOver", Property.NothingIsLeft)
                    .replacing("IF m.releasing = c.id THEN Send(m, {again}) ELSE m", "m")
                    .setting("Slow", "= {\"release\"}")
                    .setting("Kinds", "= {\"lost\"}"),
            Weakening.of("a hand-over is sent once", "HandOver", Property.WaitersAreServed)
                    .replacing("IF IsHandOver(m, c) THEN Send(m, {again}) ELSE m", "m")
                    .setting("Slow", "= {\"handOver\"}")
                    .setting("Kinds", "= {\"lost\"}"),
            Weakening.of("a block ends while its hand-over is under way", "HandOver", Property.WaitersAreServed)
                    .replacing("IF IsHandingOver(m) THEN m\n    ELSE IF Following(m)", "IF Following(m)")
                    .setting("Slow", "= {\"handOver\"}")
                    .setting("Faults", "= 0"),
            Weakening.of("a rename does not wait for a hand-over", "Following", Property.NothingIsLeft)
                    .replacing("IF IsHandingOver(m) THEN m    \\* that names the old id\n    ELSE Send", "Send")
                    .setting("Faults", "= 0"),
            Weakening.of("callers join before the hand-over is answered", "HandOver", Property.ValidNumbersAreServed)
                    .replacing("IN  Send(n, {[Call(\"handOver\",", "IN  Send(Join(n, k), {[Call(\"handOver\",")
                    .setting("Slow", "= {\"handOver\"}")
                    .setting("Faults", "= 0"),
            Weakening.of(
                            "a hand-over to the first of the blocks that follow joins all of them",
                            "Following",
                            Property.ValidNumbersAreServed)
                    .replacing("!.last = m.blocks[k].last]})", "!.last = m.blocks[2].last]})")
                    .replacing(" /\\ c.last = m.blocks[Max(Joining(m))].last", "")
                    .setting("Faults", "= 0"),
            Weakening.of("a hand-over with a new id is forgotten", "HandOver", Property.NothingIsLeft)
                    .replacing("\n    /\\ \\A c \\in m.calls : IsHandOver(m, c) => c.id = c.other", "")
                    .setting("Slow", "= {\"handOver\"}")
                    .setting("Faults", "= 0"),
            Weakening.of("the answer to a forgotten hand-over counts", "Following", Property.ValidNumbersAreServed)
                    .replacing(" /\\ c.last = m.blocks[Max(Joining(m))].last", "")
                    .setting("Faults", "= 0"),
            Weakening.of("extend while others have numbers", "Rival", Property.NobodyIsPassed)
                    .replacing("d.holder = c.id /\\ d.tail = d.serving THEN", "d.holder = c.id THEN")
                    .setting("Slow", "= {\"take\"}")
                    .setting("Faults", "= 0"),
            Weakening.of("a refused extension counts as done", "Rival", Property.NumbersRise)
                    .replacing("    ELSE IF c.ok\n    THEN LET b ==", "    ELSE IF TRUE\n    THEN LET b ==")
                    .setting("Slow", "= {\"take\"}")
                    .setting("Faults", "= 0"),
            Weakening.of("callers whose extension came too late do not go on", "Extending", Property.WaitersAreServed)
                    .replacing(
                            "IF m.blocks = <<>> THEN [m EXCEPT !.gather = WhoOf(m.numbering.cs) \\o @, !.numbering = NotNumbering]",
                            "IF m.blocks = <<>> THEN m")
                    .setting("Slow", "= {\"extend\"}")
                    .setting("Faults", "= 0"),
            Weakening.of("no eviction", "Eviction", Property.WaitersAreServed)
                    .replacing("ELSE Send([m EXCEPT !.open = NotOpen], {DeleteRow(row.first, row.id)})", "ELSE m"),
            Weakening.of("no dispute", "Dispute", Property.WaitersAreServed)
                    .replacing("ELSE Send([n EXCEPT !.held.left = Lease], {Call(\"dispute\", id)})", "ELSE n"),
            Weakening.of("no answer to a dispute", "Dispute", Property.WaitersAreServed)
                    .replacing("{Undo(id) : id \\in {x \\in c.rows : ~Knows(m, x)}}", "{}"),
            Weakening.of("release on any dispute", "Dispute", Property.ValidHandleIsTheHolder)
                    .replacing("{x \\in c.rows : ~Knows(m, x)}}", "c.rows}"),
            Weakening.of("no release of one's own forgotten block", "Dispute", Property.WaitersAreServed)
                    .replacing("ELSE IF c.holder # None /\\ stray(c.holder) THEN", "ELSE IF FALSE THEN")
                    .setting("Home", "<- BothOnOne"));

    /** What nothing breaks without: something else does its work, or no promise speaks of it. */
    static final List<Weakening> REDUNDANT = List.of(
            Weakening.of("hand over whoever holds the lock", "Order", Property.ValidHandleIsTheHolder)
                    .replacing(
                            "/\\ d.holder = c.other\n                /\\ d.serving < c.last,",
                            "/\\ d.serving < c.last,")
                    .setting("Slow", "= {\"handOver\"}"),
            Weakening.of("extend whoever holds the lock", "Rival", Property.MutualExclusion)
                    .replacing("d.holder = c.id /\\ d.tail = d.serving THEN", "d.tail = d.serving THEN")
                    .setting("Slow", "= {\"extend\"}"),
            Weakening.of("a refused hand-over counts as done", "TakenAway", Property.MutualExclusion)
                    .replacing("IF c.ok THEN Join", "IF TRUE THEN Join"),
            Weakening.of("bury whatever the beat, if reads are quick", "Sessions", Property.MutualExclusion)
                    .replacing("IF d.sess[c.id] = c.beat \\/ ~Alive(d, c.id)", "IF TRUE")
                    .setting("Crashes", "= 0")
                    .setting("Slow", "= {\"bury\"}"),
            Weakening.of("no look at 'serving' before a claim", "Order", Property.ServingRises)
                    .replacing("ELSE IF c.serving >= b.last \\/ ~", "ELSE IF ~")
                    .setting("Slow", "= {\"claim\"}"),
            Weakening.of("rows of the dead are no garbage", "Crash", Property.WaitersAreServed)
                    .replacing("r.last <= c.serving \\/ IsDead(m, r.id) \\/ stray", "r.last <= c.serving \\/ stray")
                    .setting("Slow", "= {}"),
            Weakening.of("no wait for numbers at the end of a block", "Looks", Property.NobodyIsPassed)
                    .replacing("ELSE IF m.numbering.op \\in {\"take\", \"extend\"} THEN m ", "ELSE IF FALSE THEN m ")
                    .setting("Torn", "= FALSE")
                    .setting("Slow", "= {\"take\"}"));

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
}
