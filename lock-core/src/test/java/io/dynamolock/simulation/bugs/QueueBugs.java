package io.dynamolock.simulation.bugs;

import java.util.List;

/** Places in the queue that are lost, taken or never left. */
final class QueueBugs {

    static final List<Bug> ALL = List.of(
            Bug.named("claim behind somebody")
                    .in("engine/Front")
                    .insteadOf("if (vacant && ahead.isEmpty()) {")
                    .write("if (vacant) {")
                    .so("a claim passes those who are visibly queued")
                    .foundBy(0),
            Bug.named("claim without a look though others may be queued")
                    .in("engine/Front")
                    .insteadOf(
                            "boolean nobodyBetween = state.serving() > 0 && state.serving() + block.count() == state.tail();")
                    .write("boolean nobodyBetween = true;")
                    .so("a newcomer claims an open lock past everyone in the queue")
                    .foundBy(1),
            Bug.named("the next row counts as served")
                    .in("engine/Front")
                    .insteadOf("} else if (row.last() <= state.serving()) {")
                    .write("} else if (row.first() <= state.serving() + 1) {")
                    .so("the next in line is passed")
                    .foundBy(0),
            Bug.named("rows ahead are not seen")
                    .in("engine/Front")
                    .insteadOf("if (row.first() >= block.first()) {")
                    .write("if (row.first() <= block.first()) {")
                    .so("everybody is first")
                    .foundBy(0),
            Bug.named("rows behind count as ahead")
                    .in("engine/Front")
                    .insteadOf("if (row.first() >= block.first()) { break; }")
                    .write("if (row.first() == block.first()) { continue; }")
                    .so("everyone waits for everyone else")
                    .foundBy(6),
            Bug.named("rows of others count as strays")
                    .in("engine/Front")
                    .insteadOf("boolean strayOfOurs = home.isOwnSession(session) &&")
                    .write("boolean strayOfOurs =")
                    .so("every process deletes the rows of all others")
                    .foundBy(0),
            Bug.named("rows of the dead are taken for live rows")
                    .in("engine/Front")
                    .insteadOf("return strayOfOurs || home.peers().isDead(session);")
                    .write("return strayOfOurs;")
                    .so("the place of a crashed process holds up everyone for a lease more")
                    .foundBy(0),
            Bug.named("nobody watches those ahead")
                    .in("engine/Front")
                    .insteadOf("ahead.forEach(row -> home.peers().watch(row.claimant().session(), distance));")
                    .write("")
                    .so("the place of a crashed process holds up everyone for a lease more")
                    .foundBy(0),
            Bug.named("nobody watches the holder")
                    .in("engine/Front")
                    .insteadOf("if (holder != null && !vacant) { watch(holder, distance); }")
                    .write("")
                    .so("a crashed process keeps its lock for ever")
                    .foundBy(0),
            Bug.named("no eviction")
                    .in("engine/Front")
                    .insteadOf("evictIfOpenForLong(ahead);")
                    .write(";")
                    .so("a row that nobody stands behind stops the queue for ever")
                    .foundBy(544),
            Bug.named("eviction without patience")
                    .in("engine/Front")
                    .insteadOf(".multipliedBy(ahead.size())) >= 0")
                    .write(".multipliedBy(0)) >= 0")
                    .so("the next in line loses its place before it can claim")
                    .foundBy(0),
            Bug.named("eviction of the last one ahead")
                    .in("engine/Front")
                    .insteadOf("WaiterRow first = ahead.get(0);")
                    .write("WaiterRow first = ahead.get(ahead.size() - 1);")
                    .so("somebody who waits properly loses its place, the row in the way stays")
                    .foundBy(1575),
            Bug.named("eviction though the lock is held")
                    .in("engine/Front")
                    .insteadOf("if (vacant) { evictIfOpenForLong")
                    .write("if (true) { evictIfOpenForLong")
                    .so("whoever waits longer than a lease behind a long hold loses its place")
                    .foundBy(0),
            Bug.named("no poll after a look in vain")
                    .in("engine/Front")
                    .insteadOf(
                            "if (poll == null) { lookLater(block, pollDelay(inSight ? ahead.size() : ahead.size() + rowsOutOfSight(block, view))); }")
                    .write("")
                    .so("nobody notices that the lock is free")
                    .foundBy(0),
            Bug.named("no poll after a failed look")
                    .in("engine/Front")
                    .insteadOf(
                            "giveUp(block, failure); } else { lookLater(block, context.backoff.delay(failedLooks)); }")
                    .write("giveUp(block, failure); }")
                    .so("one lost answer and the wait never ends")
                    .foundBy(6),
            Bug.named("a refused claim counts as the lock")
                    .in("engine/Front")
                    .insteadOf("if (result instanceof WriteResult.Applied) { queue.claimed(block);")
                    .write("if (true) { queue.claimed(block);")
                    .so("two holders whenever two processes race")
                    .foundBy(105),
            Bug.named("who does not wait, waits")
                    .in("engine/Front")
                    .insteadOf("if (block.waitsNotAtAll()) { if (!ahead.isEmpty()) {")
                    .write("if (false) { if (!ahead.isEmpty()) {")
                    .so("a caller that asked to fail at once hangs")
                    .foundBy(23),
            Bug.named("who does not wait, sits out an outage")
                    .in("engine/Caller")
                    .insteadOf("return spec.waitsNotAtAll() &&")
                    .write("return false &&")
                    .so("a caller that asked to fail at once hangs until the store is back")
                    .foundBy(33),
            Bug.named("a deadline is not set")
                    .in("engine/KeyQueue")
                    .insteadOf("context.loop.schedule(() -> deadlineReached(caller),")
                    .write("context.loop.schedule(() -> {},")
                    .so("a finite wait never ends")
                    .foundBy(0),
            Bug.named("a deadline is lost with the number")
                    .in("engine/Caller")
                    .insteadOf("block = null; number = 0;")
                    .write("block = null; number = 0; cancelDeadline();")
                    .so("a finite wait never ends if the caller was renumbered")
                    .foundBy(0),
            Bug.named("a waiter that leaves forgets its row")
                    .in("engine/KeyQueue")
                    .insteadOf("if (block.is(Stage.QUEUED) || (block.is(Stage.NUMBERED)")
                    .write("if ((block.is(Stage.NUMBERED)")
                    .so("everyone behind waits for somebody who has left")
                    .foundBy(0),
            Bug.named("a block that is given up leaves its row")
                    .in("engine/KeyQueue")
                    .insteadOf("void withdraw(Block block) { rows.delete(block);")
                    .write("void withdraw(Block block) {")
                    .so("everyone behind waits for somebody who has left, until it is evicted")
                    .foundBy(0),
            Bug.named("a row that was claimed for is left")
                    .in("engine/KeyQueue")
                    .insteadOf("void claimed(Block block) { rows.delete(block);")
                    .write("void claimed(Block block) {")
                    .so("garbage gathers in the table")
                    .foundBy(0),
            Bug.named("an entry answered late leaves its row")
                    .in("engine/WaiterRows")
                    .insteadOf("context.undo.deleteRow(queue.key(), block.first(), block.rowId()); return;")
                    .write("return;")
                    .so("everyone behind waits for somebody who has left")
                    .foundBy(47),
            Bug.named("a failed entry is not repeated")
                    .in("engine/WaiterRows")
                    .insteadOf("enter(block, entered); } else {")
                    .write("} else {")
                    .so("one lost answer and the wait never ends")
                    .foundBy(1),
            Bug.named("the renumbered queue last")
                    .in("engine/Numbering")
                    .insteadOf("gathering.addAll(callers); gathering.addAll(later);")
                    .write("gathering.addAll(later); gathering.addAll(callers);")
                    .so("callers that lost their numbers lose their turn as well")
                    .foundBy(2),
            Bug.named("the blocks that relied on a passed one are renumbered in reverse")
                    .in("engine/KeyQueue")
                    .insteadOf(
                            "Block next = block; while (next != null && (previous == null || next.directlyFollows(previous) && next.is(Stage.NUMBERED))) { callers.addAll(next.takeCallers());")
                    .write(
                            "Block next = block; while (next != null && (previous == null || next.directlyFollows(previous) && next.is(Stage.NUMBERED))) { callers.addAll(0, next.takeCallers());")
                    .so("who came last is served first")
                    .foundBy(311),
            Bug.named("the last caller of a block comes first")
                    .in("engine/Block")
                    .insteadOf("Iterator<Caller> rest = callers.iterator();")
                    .write(
                            "List<Caller> reversed = new ArrayList<>(callers); java.util.Collections.reverse(reversed); callers.clear(); callers.addAll(reversed); Iterator<Caller> rest = callers.iterator();")
                    .so("numbers of grants go back")
                    .foundBy(0),
            Bug.named("a failed try or take is not repeated")
                    .in("engine/Numbering")
                    .insteadOf("again.run();")
                    .write("")
                    .so("one lost answer and the wait never ends")
                    .foundBy(1),
            Bug.named("no undo after a timed-out try")
                    .in("engine/Numbering")
                    .insteadOf("block.markUncertain();")
                    .write("")
                    .so("the try has landed and nobody knows that the lock is held")
                    .foundBy(188),
            Bug.named("a try given up is not taken back")
                    .in("engine/Numbering")
                    .insteadOf("queue.withdraw(block);")
                    .write("")
                    .so("the try has landed and nobody knows that the lock is held")
                    .foundBy(188),
            Bug.named("the blocks behind a released one are not told")
                    .in("engine/KeyQueue")
                    .insteadOf("void released() { numbering.pump(); hurryNext();")
                    .write("void released() { numbering.pump();")
                    .so("nobody looks for them any more")
                    .foundBy(1));

    private QueueBugs() {}
}
