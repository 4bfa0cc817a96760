package io.dynamolock.model;

import io.dynamolock.model.Weakening.Property;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Takes one condition after the other out of the specification: a promise must break every time. Conditions
 * that have no tooth are named where they stand in the specification.
 */
final class ModelTeeth {

    private static final Duration LIMIT = Duration.ofMinutes(30);

    static final List<Weakening> ALL = List.of(
            Weakening.of("a writer holds the lock behind another process's", "Order", Property.MutualExclusion)
                    .replacing(
                            "behind.mode = \"W\" -> ahead.mode = \"W\" /\\ SessionOf(ahead.number) = SessionOf(behind.number)",
                            "behind.mode = \"W\" -> ahead.mode = \"W\""),
            Weakening.of("a writer holds the lock behind readers", "Readers", Property.MutualExclusion)
                    .replacing(
                            "behind.mode = \"W\" -> ahead.mode = \"W\" /\\ SessionOf(ahead.number) = SessionOf(behind.number)",
                            "behind.mode = \"W\" -> ahead.mode = \"R\" \\/ SessionOf(ahead.number) = SessionOf(behind.number)"),
            Weakening.of("readers hold the lock behind a writer", "Readers", Property.MutualExclusion)
                    .replacing("behind.mode = \"R\" -> ahead.mode = \"R\"", "behind.mode = \"R\" -> TRUE"),
            Weakening.of("as many permits as anybody wants", "Permits", Property.PermitsAreBounded)
                    .replacing("item.queue[i].mode = \"P\" => i <= item.permits", "TRUE"),
            Weakening.of("take out whatever stands there", "Late", Property.ValidHandleHolds)
                    .replacing(
                            "/\\ \\A i \\in DOMAIN e.out : StandsAt(item, i, e.out[i])",
                            "/\\ \\A i \\in DOMAIN e.out : i \\in DOMAIN item.queue"),
            Weakening.of("reissue whatever stands there", "Data", Property.ValidHandleHolds)
                    .replacing(
                            "/\\ \\A i \\in DOMAIN e.put : StandsAt(item, i, e.put[i].from)",
                            "/\\ \\A i \\in DOMAIN e.put : i \\in DOMAIN item.queue")
                    .setting("Kinds", "= {\"late\", \"twice\"}"),
            Weakening.of("append though the queue is full", "Full", Property.TheQueueIsBounded)
                    .replacing("Len(e.append) <= e.bound", "Len(e.append) <= e.bound + 5"),
            Weakening.of("append though another number of permits was set", "Resize", Property.PermitsAreAgreed)
                    .replacing("/\\ e.permits > 0 => item.permits \\in {0, e.permits}", "/\\ TRUE"),
            Weakening.of("an edit makes the item that it was not made from", "LateCleared", Property.TicketsRise)
                    .replacing("/\\ e.exists => item.tail > 0", "/\\ TRUE"),
            Weakening.of("a reissue or a removal does not raise the tail", "Late", Property.WaitersAreServed)
                    .replacing("Max({1, SlotsOf(e.append)})", "SlotsOf(e.append)"),
            Weakening.of("a new item begins with any tail", "Cleared", Property.TicketsRise)
                    .replacing("!.base = Max({clock, m.top}) + 1", "!.base = 1"),
            Weakening.of("tickets from the tail alone", "Order", Property.TicketsRise)
                    .replacing("item.tail - SlotsOf(SubSeq(item.queue, i + 1, Len(item.queue)))", "item.tail")
                    .setting("Tardy", "= {1}")
                    .setting("Slow", "= {2}"),
            Weakening.of("an older item counts", "Tardy", Property.NobodyLosesAPlace)
                    .replacing(
                            "Newer(m, item, isLater) == item.tail > m.top",
                            "Newer(m, item, isLater) == item # m.newest"),
            Weakening.of("an item counts from before it was removed", "Removed", Property.TheRemovedIsNotSeenAgain)
                    .replacing(
                            "Newer(m, item, isLater) == item.tail > m.top",
                            "Newer(m, item, isLater) == item.tail > m.newest.tail"),
            Weakening.of("a later answer counts only if its tail is greater", "Removed", Property.WaitersAreServed)
                    .replacing(" \\/ (isLater /\\ item # m.newest)", ""),
            Weakening.of("an answer counts as later whenever it was asked for", "Removed", Property.NobodyLosesAPlace)
                    .replacing("!.read = IF @ = None THEN None ELSE [@ EXCEPT !.after = FALSE]", "!.read = @"),
            Weakening.of("grant without a look at the session", "Loss", Property.GrantsAreValid)
                    .replacing("IF IsValid(m) THEN Assignment(m) ELSE <<>>", "Assignment(m)"),
            Weakening.of("grant by an entry whose removal was sent", "Runs", Property.ValidHandleHolds)
                    .replacing("Knows(m, i) /\\ ~OwnAt(m, i).out /\\ ", "Knows(m, i) /\\ ")
                    .setting("Leavers", "= {a1}"),
            Weakening.of("a writer does not wait for a reissue that may land", "Turning", Property.ValidHandleHolds)
                    .replacing("own.to = {} /\\ own.data = None", "own.data = None"),
            Weakening.of("the next grant before a fenced entry is out", "Runs", Property.FencesAreRefused)
                    .replacing("IsSettled(own) == ~own.fenced /\\ ", "IsSettled(own) == "),
            Weakening.of("the next grant before the data is written", "Data", Property.DataIsTheLastHolders)
                    .replacing("own.to = {} /\\ own.data = None", "own.to = {}"),
            Weakening.of("a writer passes an earlier entry of its run", "Runs", Property.FencesAreRefused)
                    .replacing("Knows(m, j) => IsSettled(OwnAt(m, j))", "TRUE"),
            Weakening.of("holders of one process are not held against each other", "Runs", Property.MutualExclusion)
                    .replacing(
                            "/\\ \\A h \\in m.holders : h.mode = m.newest.queue[i].mode /\\ h.mode # \"W\"",
                            "/\\ TRUE"),
            Weakening.of("only writers are held against each other", "Turning", Property.MutualExclusion)
                    .replacing(
                            "/\\ \\A h \\in m.holders : h.mode = m.newest.queue[i].mode /\\ h.mode # \"W\"",
                            "/\\ \\A h \\in m.holders : h.mode # \"W\""),
            Weakening.of("a shared slot serves who comes later", "Readers", Property.NoReaderPassesAWriter)
                    .replacing("/\\ offer.mode = \"R\" => c \\in offer.serves", "/\\ TRUE")
                    .setting("Tardy", "= {1}")
                    .setting("Leavers", "= {a1}")
                    .setting("Wants", "<- ReadersAndAWriter"),
            Weakening.of("a reissue revives used slots", "Data", Property.NoSlotServesTwice)
                    .replacing("new == [entry |-> to, used |-> present,", "new == [entry |-> to, used |-> 0,"),
            Weakening.of("only the latest reissue is remembered", "DataTwice", Property.ValidHandleHolds)
                    .replacing(
                            "!.to = @ \\cup {Reissue(p, m, i)",
                            "!.to = (IF \\E j \\in DOMAIN e.put : e.put[j].from.number = n THEN {} ELSE @) \\cup {Reissue(p, m, i)"),
            Weakening.of("no reissue is remembered once it failed", "Data", Property.ValidHandleHolds)
                    .replacing(
                            "Step(p, [me[p] EXCEPT !.edit = None], db, seen)",
                            "Step(p, [me[p] EXCEPT !.edit = None, !.own = [n \\in DOMAIN @ |-> [@[n] EXCEPT !.to = {}]]], db, seen)"),
            Weakening.of("a number is used again for other data", "DataTwice", Property.DataIsWritten)
                    .replacing(
                            "{x \\in own.to : [x EXCEPT !.entry.number = to.number] = new}",
                            "{[x EXCEPT !.data = own.data] : x \\in {y \\in own.to : [y EXCEPT !.entry.number = to.number, !.data = own.data] = new}}")
                    .replacing(
                            "IF m.own[n].data = x.data THEN None",
                            "IF \\E y \\in shown(n) : y.data = m.own[n].data THEN None"),
            Weakening.of("a reissue ends what is to be written", "Data", Property.DataIsWritten)
                    .replacing("IF m.own[n].data = x.data THEN None ELSE m.own[n].data", "None"),
            Weakening.of("no reissue after a caller was forced out", "Runs", Property.FencesAreRefused)
                    .replacing("!.own[h.number].fenced = @ \\/ h.mode # \"R\"]", "!.own[h.number].fenced = @]"),
            Weakening.of("an entry with a holder is taken out", "Runs", Property.ValidHandleHolds)
                    .replacing("By(m, m.newest.queue[i].number) = {} /\\ i \\notin taken", "i \\notin taken"),
            Weakening.of("finished entries stay", "Late", Property.WaitersAreServed)
                    .replacing("isUnwanted(i) == ~Knows(m, i) \\/ (", "isUnwanted(i) == ~Knows(m, i) \\/ (FALSE /\\ "),
            Weakening.of("nobody looks after a spare slot", "Spares", Property.NothingIsLeft)
                    .replacing(" \\/ me[p].own[n].serves = {}", ""),
            Weakening.of("orphans stay", "Orphans", Property.WaitersAreServed)
                    .replacing("isUnwanted(i) == ~Knows(m, i) \\/ (", "isUnwanted(i) == Knows(m, i) /\\ ("),
            Weakening.of("every own entry is an orphan", "Runs", Property.ValidHandleHolds)
                    .replacing("isUnwanted(i) == ~Knows(m, i) \\/ (", "isUnwanted(i) == TRUE \\/ ("),
            Weakening.of("nobody asks whose an entry is", "Orphans", Property.WaitersAreServed)
                    .replacing("/\\ IsInTheWay(me[p].newest, j) /\\ ~IsOwn", "/\\ FALSE /\\ ~IsOwn"),
            Weakening.of("only the first is asked whether it wants its entry", "Asked", Property.WaitersAreServed)
                    .replacing(
                            "IsInTheWay(item, i) == \\A j \\in 1 .. i - 1 : HoldsAt(item, j)",
                            "IsInTheWay(item, i) == i = 1"),
            Weakening.of("a question is not looked into", "Orphans", Property.WaitersAreServed)
                    .replacing("item == Seen(p, m, db.item, TRUE)", "item == m"),
            Weakening.of("the dead stay", "Crash", Property.WaitersAreServed)
                    .replacing("ELSE m.waiters # <<>> /\\ isDead(i)}", "ELSE FALSE}"),
            Weakening.of("only the dead that are first are taken out", "Middle", Property.WaitersAreServed)
                    .replacing(
                            "ELSE m.waiters # <<>> /\\ isDead(i)}", "ELSE m.waiters # <<>> /\\ isDead(i) /\\ i = 1}"),
            Weakening.of("expire the living", "Loss", Property.MutualExclusion)
                    .replacing("MayExpire(s) == ~(", "MayExpire(s) == TRUE \\/ ~("),
            Weakening.of("take out the living", "Loss", Property.ValidHandleHolds)
                    .replacing("isDead(i) == IsDead(m, m.newest.queue[i])", "isDead(i) == TRUE"),
            Weakening.of("nobody expires sessions", "Crash", Property.WaitersAreServed)
                    .replacing("IsValid(me[p]) /\\ me[p].waiters # <<>> /\\ MayExpire(s)}", "FALSE}"),
            Weakening.of("callers of a lost session do not go on", "Loss", Property.WaitersAreServed)
                    .replacing("CanStart(p) == me[p].stage", "CanStart(p) == FALSE /\\ me[p].stage"),
            Weakening.of("a lost session's entries count as its own", "Loss", Property.MutualExclusion)
                    .replacing(
                            "!.holders = {}, !.own = <<>>, !.edit = None, !.read",
                            "!.holders = {}, !.edit = None, !.read"),
            Weakening.of("a kept entry goes too early", "Kept", Property.KeptIsKept)
                    .replacing(
                            "IsOver(over, entry) == entry.mode = \"kept\" /\\ over",
                            "IsOver(over, entry) == entry.mode = \"kept\""),
            Weakening.of("a kept entry stays", "Kept", Property.WaitersAreServed)
                    .replacing("IsOver(over, entry) == entry.mode = \"kept\" /\\ over", "IsOver(over, entry) == FALSE"),
            Weakening.of("a writer holds the lock behind a kept entry", "Kept", Property.KeptIsKept)
                    .replacing(
                            "behind.mode = \"W\" -> ahead.mode = \"W\" /\\ SessionOf",
                            "behind.mode = \"W\" -> ahead.mode = \"kept\" \\/ SessionOf"),
            Weakening.of(
                            "one that does not wait asks though somebody is there",
                            "Hasty",
                            Property.TheHastyDoNotStandBehind)
                    .replacing("!.bound = IfFree(m, hasty[1])", "!.bound = Most"),
            Weakening.of("an evicted holder is sought under its old number", "EvictedRun", Property.TheEvictedAreOut)
                    .replacing(
                            "{n \\in DOMAIN m.own : n = number \\/ number \\in m.own[n].was}",
                            "{n \\in DOMAIN m.own : n = number}"),
            Weakening.of("every number that an entry had means the new one", "EvictedRun", Property.OneIsEvicted)
                    .replacing(
                            "!.was = IF By(m, n) # {} THEN m.own[n].was \\cup {n} ELSE {}]",
                            "!.was = m.own[n].was \\cup {n}]"),
            Weakening.of("an evicted holder's entry serves the next", "EvictedRun", Property.OneIsEvicted)
                    .replacing("!.own[n].fenced = @ \\/ m.newest.queue[i].mode # \"R\"]", "!.own[n].fenced = @]"),
            Weakening.of("validity from the answer to a heartbeat", "Sessions", Property.TheLivingAreNotExpired)
                    .replacing("THEN owner.call.left ELSE 0]", "THEN Lease ELSE 0]"),
            Weakening.of("a heartbeat brings an item back", "Sessions", Property.TheDeadStayDead)
                    .replacing("IF item # Gone /\\ item < beat", "IF item < beat"),
            Weakening.of("a heartbeat lands behind a later one", "Sessions", Property.TheLivingAreNotExpired)
                    .replacing("IF item # Gone /\\ item < beat", "IF item # Gone"),
            Weakening.of("expire whatever the heartbeat", "Sessions", Property.TheLivingAreNotExpired)
                    .replacing("IF item = watcher.expire.beat THEN", "IF TRUE THEN"),
            Weakening.of("expire before a whole lease is over", "Sessions", Property.TheLivingAreNotExpired)
                    .replacing("!.beat = read.beat, !.left = Lease]", "!.beat = read.beat, !.left = Lease - 1]"),
            Weakening.of("a lease from the sending of the read", "Sessions", Property.TheLivingAreNotExpired)
                    .replacing("!.beat = read.beat, !.left = Lease]", "!.beat = read.beat, !.left = read.left]"),
            Weakening.of("a lease is counted from the first heartbeat alone", "Sessions", Property.TheDeadAreExpired)
                    .replacing("IF read.beat # w.beat THEN", "IF w.beat = NotSeen THEN"),
            Weakening.of("nobody expires", "Sessions", Property.TheDeadAreExpired)
                    .replacing(
                            "ELSE IF w.left = 0 THEN [w EXCEPT !.expire = [beat |-> w.beat]]", "ELSE IF FALSE THEN w"));

    private ModelTeeth() {}

    /** Checks the weakened specification. */
    static TlcResult bite(Weakening weakening, Path directory) {
        String configuration = weakening.configuration();
        String module = configuration.equals("Sessions") ? "Sessions" : "Model";
        return Tlc.in(directory)
                .check(
                        module,
                        configuration,
                        (file, text) -> file.equals(configuration + ".cfg")
                                ? weakening.applyToConfiguration(text)
                                : weakening.concerns(text) ? weakening.applyToSpecification(text) : text,
                        LIMIT);
    }
}
