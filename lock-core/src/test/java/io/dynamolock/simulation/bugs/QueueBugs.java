package io.dynamolock.simulation.bugs;

import java.util.List;

/** Places in the queue that are lost, taken or never left. */
final class QueueBugs {

    static final List<Bug> ALL = List.of(
            Bug.named("claim behind somebody")
                    .in("engine/Front")
                    .insteadOf("if (vacant && ahead == null) {")
                    .write("if (vacant) {")
                    .so("a claim passes those who are visibly queued"),
            Bug.named("claim without a look though others may be queued")
                    .in("engine/Front")
                    .insteadOf(
                            "boolean nobodyBetween = state.serving() > 0 && state.serving() + block.count() == state.tail();")
                    .write("boolean nobodyBetween = true;")
                    .so("a newcomer claims an open lock past everyone in the queue"),
            Bug.named("the next row counts as served")
                    .in("engine/Front")
                    .insteadOf("} else if (row.last() <= state.serving()) {")
                    .write("} else if (row.first() <= state.serving() + 1) {")
                    .so("the next in line is passed"),
            Bug.named("rows ahead are not seen")
                    .in("engine/Front")
                    .insteadOf("if (row.first() >= block.first()) {")
                    .write("if (row.first() <= block.first()) {")
                    .so("everybody is first"),
            Bug.named("rows behind count as ahead")
                    .in("engine/Front")
                    .insteadOf("if (row.first() >= block.first()) { break; }")
                    .write("if (row.first() == block.first()) { continue; }")
                    .so("everyone waits for everyone else"),
            Bug.named("rows of others count as strays")
                    .in("engine/Front")
                    .insteadOf("boolean strayOfOurs = home.isOwnSession(session) &&")
                    .write("boolean strayOfOurs =")
                    .so("every process deletes the rows of all others"),
            Bug.named("nobody watches the holder")
                    .in("engine/Front")
                    .insteadOf("if (holder != null && !vacant) { watch(holder, distance(inSight, rowsAhead)); }")
                    .write("")
                    .so("a crashed process keeps its lock for ever"),
            Bug.named("no poll after a look in vain")
                    .in("engine/Front")
                    .insteadOf(
                            "if (poll == null) {"
                                    + " lookLater(block, pollDelay(inSight ? rowsAhead : rowsAhead + rowsOutOfSight(block, view))); }")
                    .write("")
                    .so("nobody notices that the lock is free"),
            Bug.named("no poll after a failed look")
                    .in("engine/Front")
                    .insteadOf(
                            "giveUp(block, failure); } else { lookLater(block, context.backoff.delay(failedLooks)); }")
                    .write("giveUp(block, failure); }")
                    .so("one lost answer and the wait never ends"),
            Bug.named("a row that was claimed for is left")
                    .in("engine/KeyQueue")
                    .insteadOf("void claimed(Block block) { rows.delete(block);")
                    .write("void claimed(Block block) {")
                    .so("garbage gathers in the table"),
            Bug.named("a failed entry is not repeated")
                    .in("engine/WaiterRows")
                    .insteadOf("enter(block, entered); } else {")
                    .write("} else {")
                    .so("one lost answer and the wait never ends"),
            Bug.named("the last caller of a block comes first")
                    .in("engine/Block")
                    .insteadOf("Caller next = callers.pollFirst();")
                    .write("Caller next = callers.pollLast();")
                    .so("numbers of grants go back"),
            Bug.named("a failed try or take is not repeated")
                    .in("engine/Numbering")
                    .insteadOf("again.run();")
                    .write("")
                    .so("one lost answer and the wait never ends"),
            Bug.named("the blocks behind a released one are not told")
                    .in("engine/KeyQueue")
                    .insteadOf("void released() { numbering.pump(); hurryNext();")
                    .write("void released() { numbering.pump();")
                    .so("nobody looks for them any more"));

    private QueueBugs() {}
}
