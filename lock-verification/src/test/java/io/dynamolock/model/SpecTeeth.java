package io.dynamolock.model;

import io.dynamolock.model.Weakening.Property;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Takes one condition after the other out of the specification: a promise must break every time. */
final class SpecTeeth {

    private static final Duration LIMIT = Duration.ofMinutes(30);

    /** The conditions of the steps on a lock's item. */
    private static final List<Weakening> STEPS = List.of(
            Weakening.of("ask though the queue is full", "Door", Property.TheLineIsBounded)
                    .replacing("/\\ NobodyAt(d.item, c.most)\n", "/\\ TRUE\n"),
            Weakening.of("ask without waiting though somebody is there", "Hasty", Property.TheHastyDoNotWait)
                    .replacing("IF hurried THEN RoomFor(Wants[first]) ELSE Most", "Most"),
            Weakening.of("ask again though the entry is there", "Order", Property.NobodyStandsTwice)
                    .replacing("/\\ Missing(d.item, c.entry),", "/\\ TRUE,"),
            Weakening.of("grow though another entry stands there", "Grows", Property.NobodyStandsTwice)
                    .replacing("/\\ EntryAt(d.item, c.i, c.entry)\n", "/\\ c.i \\in DOMAIN d.item.queue\n")
                    .setting("Slow", "= {\"grow\", \"leave\"}"),
            Weakening.of("grow though somebody stands behind", "Grows", Property.FirstComeFirstServed)
                    .replacing("/\\ NobodyAt(d.item, c.i + 1),", "/\\ TRUE,"),
            Weakening.of("leave whoever stands there", "Twice", Property.ValidHandleHolds)
                    .replacing("takenOut(i) => EntryAt(d.item, i, c.entries[i]),", "TRUE,"),
            Weakening.of("rename whoever is first", "Renames", Property.ValidHandleHolds)
                    .replacing(
                            "Take(d, c, EntryAt(d.item, c.i, c.entry), [d.item",
                            "Take(d, c, c.i \\in DOMAIN d.item.queue, [d.item"),
            Weakening.of("ask with another number of permits", "Resize", Property.PermitsAreAgreed)
                    .replacing("/\\ PermitsAre(d.item, c.permits)\n", "/\\ TRUE\n")
                    .setting("Changers", "= {}"));

    private static final String ADMITS = "mode = behind /\\ mode \\in {\"shared\", \"permit\"}";

    /** Who holds the lock beside whom, who joins whom, and what becomes of a reader's block. */
    private static final List<Weakening> MODES = List.of(
            Weakening.of("readers hold the lock behind a writer", "Readers", Property.MutualExclusion)
                    .replacing(ADMITS, "behind = \"shared\""),
            Weakening.of("a writer holds the lock behind readers", "Readers", Property.MutualExclusion)
                    .replacing(ADMITS, "mode = \"shared\""),
            Weakening.of("a mode that nobody knows counts as a reader's", "Mixed", Property.MutualExclusion)
                    .replacing(ADMITS, "{mode, behind} \\subseteq {\"shared\", \"unknown\"}"),
            Weakening.of("a permit is good beside a reader", "Mixed", Property.MutualExclusion)
                    .replacing(ADMITS, "{mode, behind} \\subseteq {\"shared\", \"permit\"}"),
            Weakening.of("as many permits as anybody wants", "Permits", Property.PermitsAreBounded)
                    .replacing("= \"permit\" => i <= Max({1, item.permits})\n", "= \"permit\" => TRUE\n"),
            Weakening.of("a caller that wants another number waits", "Resize", Property.WaitersAreServed)
                    .replacing(" \\/ IsHurried(b) \\/ ~PermitsAre(c.item, c.permits)", " \\/ IsHurried(b)")
                    .setting("Slow", "= {\"ask\"}"),
            Weakening.of("a reader that does not wait waits", "Tries", Property.TheHastyDoNotWait)
                    .replacing("isTooLate == IsHurried(b) /\\", "isTooLate == FALSE /\\")
                    .setting("Faults", "= 0"),
            Weakening.of(
                            "readers join their block though a writer stands behind",
                            "Share",
                            Property.FirstComeFirstServed)
                    .replacing("/\\ NobodyAt(d.item, c.i + 1),", "/\\ TRUE,")
                    .setting("Wants", "<- WriterBehindReaders"),
            Weakening.of("writers join a reader's block", "Readers", Property.MutualExclusion)
                    .replacing("m.blocks[x].mode = Wants[first].mode}", "TRUE}")
                    .setting("Faults", "= 0"),
            Weakening.of("a block leaves though readers hold the lock by it", "Share", Property.ValidHandleHolds)
                    .replacing("b.cs # <<>> \\/ b.has # {} \\/", "b.cs # <<>> \\/")
                    .setting("Slow", "= {\"leave\"}"),
            Weakening.of("a writer that may turn into a reader shares its place", "Downgrade", Property.MutualExclusion)
                    .replacing("Wants[c].mode = \"permit\" \\/ c \\in Downgraders", "Wants[c].mode = \"permit\"")
                    .setting("Faults", "= 0"),
            Weakening.of("others join a place of a caller's own", "Downgrade", Property.MutualExclusion)
                    .replacing("~m.blocks[x].own /\\ m.blocks[x].mode", "m.blocks[x].mode")
                    .setting("Faults", "= 0"),
            Weakening.of("a caller is alone until it hears of its downgrade", "Downgrade", Property.MutualExclusion)
                    .replacing("(b.turn \\/ b.mode = \"shared\")", "b.mode = \"shared\"")
                    .setting("Faults", "= 0"));

    /** What a process concludes from an item, and what it does then. */
    private static final List<Weakening> CONCLUSIONS = List.of(
            Weakening.of("any absence means gone", "Looks", Property.NobodyLosesAPlace)
                    .replacing("b.id \\in since \\/ (b.issued > 0 /\\ item.tail >= b.issued)", "TRUE"),
            Weakening.of("absence from any write's answer means gone", "Order", Property.NobodyLosesAPlace)
                    .replacing("See(p, n, c.item, c.since)", "See(p, n, c.item, Since(n))")
                    .setting("Growing", "= FALSE")
                    .setting("Slow", "= {\"ask\", \"leave\"}")
                    .setting("Faults", "= 0"),
            Weakening.of("a renamed block is gone from an item with its tail", "Looks", Property.NobodyLosesAPlace)
                    .replacing("!.out = FALSE, !.issued = 0,", "!.out = FALSE,"),
            Weakening.of("a renamed block is sought under its old name", "Renames", Property.NobodyLosesAPlace)
                    .replacing("LET renamed == b.to # None /\\", "LET renamed == FALSE /\\"),
            Weakening.of("absence is never looked into", "Removed", Property.WaitersAreServed)
                    .replacing("(IF m.unsure /\\", "(IF FALSE /\\"),
            Weakening.of("tickets from the tail alone", "Order", Property.TicketsRise)
                    .replacing("LastTicket(item, i) - n + x.pos", "item.tail - n + x.pos")
                    .setting("Faults", "= 0"),
            Weakening.of("tickets by the callers known before", "Grows", Property.TicketsRise)
                    .replacing("LastTicket(item, i) - n + x.pos", "LastTicket(item, i) - b.n + x.pos")
                    .setting("Slow", "= {\"grow\", \"leave\"}"),
            Weakening.of("growth counts before it is shown", "Grows", Property.TicketsRise)
                    .replacing("Min({Len(b.growth), Max({n - b.n, 0})})", "Len(b.growth)"),
            Weakening.of("a block grows though its ask may land again", "Order", Property.NobodyStandsTwice)
                    .replacing("b.isLast /\\ ~b.again", "b.isLast"),
            Weakening.of("no rename after a caller was forced out", "Renames", Property.OverstayersHaveNoName)
                    .replacing("!.blocks[k].out = needsName]", "!.blocks[k].out = FALSE]"),
            Weakening.of("a leave is sent once", "Undo", Property.NothingIsLeft)
                    .replacing("[] OTHER -> m\n\n(* -- Settle", "[] OTHER -> Without(m, c.id)\n\n(* -- Settle")
                    .setting("Slow", "= {\"leave\"}")
                    .setting("Kinds", "= {\"lost\"}"),
            Weakening.of("no undo", "Undo", Property.NothingIsLeft)
                    .replacing(
                            "b.st = \"UNDOING\" -> OnItem(m, \"lookHard\", b.id)",
                            "b.st = \"UNDOING\" -> Call(\"none\", None)"),
            Weakening.of("strays stay", "Dispute", Property.WaitersAreServed)
                    .replacing("IsOwn(p, n, id) /\\ ~Knows(n, id) /\\", "FALSE /\\"),
            Weakening.of("every own entry is a stray", "Order", Property.ValidHandleHolds)
                    .replacing("IsOwn(p, n, id) /\\ ~Knows(n, id) /\\", "IsOwn(p, n, id) /\\")
                    .setting("Slow", "= {\"leave\"}")
                    .setting("Faults", "= 0"),
            Weakening.of("no dispute", "Dispute", Property.WaitersAreServed)
                    .replacing("ELSE IF overdue THEN Send(", "ELSE IF FALSE THEN Send("),
            Weakening.of("no answer to a dispute", "Dispute", Property.WaitersAreServed)
                    .replacing("IF \\E id \\in c.ids : ~Knows(m, id) THEN {OnItem", "IF FALSE THEN {OnItem"));

    /** Who is alive, and what becomes of the dead. */
    private static final List<Weakening> SESSIONS = List.of(
            Weakening.of("grant without a look at the session's validity", "Sessions", Property.GrantsAreValid)
                    .replacing("ELSE IF m.left > 0\n", "ELSE IF TRUE\n")
                    .setting("Slow", "= {\"ask\"}"),
            Weakening.of("validity from the answer to a beat", "Sessions", Property.MutualExclusion)
                    .replacing(
                            "!.left = m.sent, !.sent = NoBeat, !.settled", "!.left = Lease, !.sent = NoBeat, !.settled")
                    .setting("Lease", "= 3")
                    .setting("Slow", "= {\"beat\"}"),
            Weakening.of("a session's begin lands twice", "Loss", Property.TheDeadStayDead)
                    .replacing("c.op \\notin Reads \\cup {\"begin\"}", "c.op \\notin Reads")
                    .setting("Sessions", "<- ThreeAndOneSession")
                    .setting("Faults", "= 1")
                    .setting("Kinds", "= {\"twice\"}"),
            Weakening.of("beat a session that is gone", "Sessions", Property.TheDeadStayDead)
                    .replacing("IF Alive(d, c.id)\n    THEN LET e", "IF TRUE\n    THEN LET e")
                    .setting("Slow", "= {\"beat\"}"),
            Weakening.of("a beat lands behind a later one", "Beats", Property.MutualExclusion)
                    .replacing("IF c.op = \"beat\" THEN {x \\in calls :", "IF FALSE THEN {x \\in calls :")
                    .setting("Kinds", "= {\"twice\"}"),
            Weakening.of("bury whatever the beat", "Sessions", Property.MutualExclusion)
                    .replacing("IF d.sess[c.id] = c.beat \\/ ~Alive(d, c.id)", "IF TRUE")
                    .setting("Slow", "= {\"read\"}"),
            Weakening.of("bury before a whole lease is over", "Sessions", Property.MutualExclusion)
                    .replacing("!.watch[c.id[1]].left = Lease]", "!.watch[c.id[1]].left = Lease - 1]")
                    .setting("Slow", "= {}"),
            Weakening.of("bury though it has beaten meanwhile", "Sessions", Property.MutualExclusion)
                    .replacing("IF w.beat # c.beat THEN", "IF w.beat = Gone THEN")
                    .setting("Slow", "= {}"),
            Weakening.of("take out the living", "Sessions", Property.MutualExclusion)
                    .replacing(
                            "mayJoin, overdue) ==\n    IF mayJoin",
                            "mayJoin, overdue) ==\n    IF TRUE THEN dead \\cup living ELSE IF mayJoin")
                    .setting("Slow", "= {}"),
            Weakening.of("no burial", "Crash", Property.WaitersAreServed)
                    .replacing("Send(m, {[Call(\"bury\", c.id) EXCEPT !.beat = c.beat]})", "m")
                    .setting("Slow", "= {}"),
            Weakening.of("the dead stay in the queue", "Crash", Property.WaitersAreServed)
                    .replacing("ELSE IF out # {} THEN", "ELSE IF FALSE THEN")
                    .setting("Slow", "= {}"),
            Weakening.of("only the next takes out the dead", "Behind", Property.WaitersAreServed)
                    .replacing("IF living = {} \\/ overdue THEN {i", "IF living = {} THEN {i"),
            Weakening.of("only the nearest is watched while it lives", "Behind", Property.WaitersAreServed)
                    .replacing("IF quiet \\/ overdue \\/", "IF quiet \\/")
                    .setting("Lease", "= 2"),
            Weakening.of("only the nearest is watched though it holds the lock", "Nearest", Property.TheDeadGoInTime)
                    .replacing("\\/ overdue \\/ HoldsAt(item, nearest)", "\\/ overdue"),
            Weakening.of("the dead stay behind the living", "Nearest", Property.WaitersAreServed)
                    .replacing("IF mayJoin THEN IF living", "IF FALSE THEN IF living"),
            Weakening.of("a caller that has a permit watches nobody", "Middle", Property.WaitersAreServed)
                    .replacing("\\in {b.id, b.to} /\\ b.st # \"HOLDING\"\n", "\\in {b.id, b.to}\n"),
            Weakening.of("only the first is asked whether it wants its place", "Found", Property.WaitersAreServed)
                    .replacing("IF mayJoin THEN IsInTheWay(item, i) ELSE i = 1}", "i = 1}"),
            Weakening.of("end a session without deleting its item", "Loss", Property.NothingIsLeft)
                    .replacing("(IF gone THEN {} ELSE {Call(\"end\", Session(p, m))})", "{}"),
            Weakening.of("callers of a lost session do not go on", "Loss", Property.WaitersAreServed)
                    .replacing("CanStart(p) == me[p].live", "CanStart(p) == FALSE /\\ me[p].live"));

    static final List<Weakening> ALL =
            Stream.of(STEPS, MODES, CONCLUSIONS, SESSIONS).flatMap(List::stream).toList();

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
