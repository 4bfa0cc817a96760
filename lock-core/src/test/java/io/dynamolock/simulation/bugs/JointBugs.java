package io.dynamolock.simulation.bugs;

import io.dynamolock.protocol.Condition;
import io.dynamolock.protocol.Step;
import java.util.List;

/** Bugs in what readers, writers and permits need beyond locks that everybody wants alone. Found by seeds below zero. */
final class JointBugs {

    static final List<Bug> ALL = List.of(
            new PatchedBug(
                    "one more than may holds the lock",
                    "protocol/LockItem",
                    "return index < holders();",
                    "return index <= holders();",
                    "a writer beside readers",
                    -1),
            new PatchedBug(
                    "whoever stands behind a reader holds the lock with it",
                    "protocol/LockItem",
                    ".takeWhile(entry -> entry.mode().equals(mode))",
                    ".takeWhile(entry -> true)",
                    "a writer beside readers, and readers that pass a writer",
                    -1),
            new PatchedBug(
                    "readers pass a writer",
                    "protocol/LockItem",
                    ".takeWhile(entry -> entry.mode().equals(mode))",
                    ".filter(entry -> entry.mode().equals(mode))",
                    "a writer waits for ever while readers come and go",
                    -1),
            new PatchedBug(
                    "there are as many permits as are wanted",
                    "protocol/LockItem",
                    "int most = mode.equals(Mode.PERMIT) ? Math.max(1, permits) : queue.size();",
                    "int most = queue.size();",
                    "more callers at once than there are permits",
                    -6),
            new PatchedBug(
                    "callers share a permit",
                    "engine/Kind",
                    "PERMIT(Mode.PERMIT, false);",
                    "PERMIT(Mode.PERMIT, true);",
                    "more callers at once than there are permits",
                    -1),
            RuleBugs.without(
                    "ask for a permit of another number",
                    step -> step instanceof Step.Ask ask && ask.permits() > 0,
                    Condition.PermitsAre.class,
                    "each process has its own number of permits, and the last that asks decides for all",
                    -1),
            new PatchedBug(
                    "tickets of all who hold the lock are those of the first",
                    "protocol/Standing",
                    "return new Holds(item.lastTicket(index),",
                    "return new Holds(item.lastTicket(0),",
                    "a reader whose number is not above that of a writer before it",
                    -11),
            new PatchedBug(
                    "a block goes when the first of its readers goes",
                    "engine/Together",
                    "if (!hold.isOut(block) && !block.hasCallers()) {",
                    "if (!block.hasCallers()) {",
                    "a writer beside the readers that are left",
                    -1),
            new PatchedBug(
                    "a lock is held when its last reader has gone",
                    "engine/Together",
                    "stopKeeping(block); exit.leave(block); return;",
                    "return;",
                    "writers wait for nobody",
                    -1),
            new PatchedBug(
                    "the longest hold of a reader never ends",
                    "engine/SharedHold",
                    "change(grant, hold -> hold.forceOut(grant));",
                    "",
                    "a reader that hangs keeps all writers out though it promised not to",
                    -1),
            new PatchedBug(
                    "an entry of another kind is taken for a stray",
                    "engine/KeyGroup",
                    "if (queue.knows(id)) { return true; }",
                    "if (true) { return queue.knows(id); }",
                    "a process takes the place of its own writer for one that nobody knows",
                    -1),
            new PatchedBug(
                    "who does not wait, waits at the door",
                    "engine/Waits",
                    "if (gathering.contains(caller)) { overdue.remove(caller); expire(caller); }",
                    "",
                    "a caller that asked to fail at once waits behind a full queue",
                    -13),
            new PatchedBug(
                    "a writer that shares the lock is still a writer",
                    "engine/Downgrading",
                    "parts.line.remove(block);",
                    "",
                    "one block in two queues: the lock is let go while it is held",
                    -10),
            new PatchedBug(
                    "holders are watched by nobody if there are many",
                    "protocol/Vigil",
                    "if (waiting.isEmpty() || isQuiet.test(waiting.get(waiting.size() - 1))) {",
                    "if (waiting.isEmpty()) { return List.of(); } if (isQuiet.test(waiting.get(waiting.size() - 1))) {",
                    "a dead reader beside a living one keeps writers out for ever",
                    -27),
            new PatchedBug(
                    "the dead between those who live are left",
                    "protocol/Vigil",
                    "return isFirstToLive || sameFirst.compareTo(lease) >= 0 ? abandoned : new TreeMap<>();",
                    "return front(ahead, 0);",
                    "a dead writer keeps readers out for as long as the reader before it holds the lock",
                    -53));

    private JointBugs() {}
}
