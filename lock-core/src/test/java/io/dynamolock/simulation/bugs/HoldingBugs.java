package io.dynamolock.simulation.bugs;

import java.util.List;

/** Holders, their releases and what is left behind them. */
final class HoldingBugs {

    static final List<Bug> ALL = List.of(
            Bug.named("hand-over past another's number")
                    .in("engine/Tenure")
                    .insteadOf("boolean reachable = other.directlyFollows(previous) &&")
                    .write("boolean reachable =")
                    .so("a busy process never lets others have the lock")
                    .foundBy(26),
            Bug.named("a block follows whatever lies between")
                    .in("engine/Block")
                    .insteadOf("return other.last + 1 == reach;")
                    .write("return other.last < reach;")
                    .so("a busy process never lets others have the lock")
                    .foundBy(17),
            Bug.named("no check of the session before a grant")
                    .in("engine/Tenure")
                    .insteadOf("if (!granted.session().isValid() || context.grants.isClosed()) {")
                    .write("if (context.grants.isClosed()) {")
                    .so("a process that was asleep tells a caller that it has the lock")
                    .foundBy(52),
            Bug.named("a release is sent once")
                    .in("engine/Tenure")
                    .insteadOf("() -> releasing == granted,")
                    .write("() -> false,")
                    .so("one lost call and the lock is held by nobody for as long as the process lives")
                    .foundBy(0),
            Bug.named("a hand-over is sent once")
                    .in("engine/Tenure")
                    .insteadOf("() -> handOver == sent,")
                    .write("() -> false,")
                    .so("one lost call and the queue stands still")
                    .foundBy(17),
            Bug.named("a hand-over is forgotten though somebody waits for it")
                    .in("engine/Tenure")
                    .insteadOf("underWay.following.stream().anyMatch(Block::hasCallers)")
                    .write("false")
                    .so("those who were to join it wait for ever")
                    .foundBy(1),
            Bug.named("callers do not join with their block")
                    .in("engine/Block")
                    .insteadOf("caller.numbered(this, caller.number()); callers.add(caller);")
                    .write("")
                    .so("those who were to join it wait for ever")
                    .foundBy(0),
            Bug.named("a refused extension counts as done")
                    .in("engine/Numbering")
                    .insteadOf("boolean served = result instanceof WriteResult.Applied && !holding.is(Stage.GONE);")
                    .write("boolean served = !holding.is(Stage.GONE);")
                    .so("two callers with the same number, and those of other processes are passed")
                    .foundBy(2),
            Bug.named("callers whose extension was answered after the release are forgotten")
                    .in("engine/Numbering")
                    .insteadOf("putBack(drop());")
                    .write("drop();")
                    .so("the wait never ends")
                    .foundBy(119),
            Bug.named("callers join a block that has let the lock go")
                    .in("engine/Numbering")
                    .insteadOf("boolean served = result instanceof WriteResult.Applied && !holding.is(Stage.GONE);")
                    .write("boolean served = result instanceof WriteResult.Applied;")
                    .so("the wait never ends")
                    .foundBy(145),
            Bug.named("a rename is sent once")
                    .in("engine/Tenure")
                    .insteadOf("() -> granted.is(Stage.CHANGING),")
                    .write("() -> false,")
                    .so("one lost call and the queue stands still")
                    .foundBy(19),
            Bug.named("no rename after a forced end")
                    .in("engine/Tenure")
                    .insteadOf("overstayed = true; passOn();")
                    .write("passOn();")
                    .so("a transaction of the one who was forced out still finds its block holding the lock")
                    .foundBy(2),
            Bug.named("release by the id before the rename")
                    .in("engine/Tenure")
                    .insteadOf("BlockId id = granted.id();")
                    .write("BlockId id = granted.rowId();")
                    .so("the lock is held by nobody")
                    .foundBy(2),
            Bug.named("the longest hold never ends")
                    .in("engine/Tenure")
                    .insteadOf("maxHold = context.loop.schedule(() -> forceOut(grant), limit);")
                    .write("")
                    .so("a caller that hangs keeps the lock though it promised not to")
                    .foundBy(6),
            Bug.named("the longest hold is no part of the validity")
                    .in("engine/GrantedLock")
                    .insteadOf("if (maxHold != null) {")
                    .write("if (false) {")
                    .so("a caller believes in its lock beyond its longest hold")
                    .foundBy(0),
            Bug.named("a forced end is not told")
                    .in("engine/Tenure")
                    .insteadOf("grant.lose(LossReason.MAX_HOLD);")
                    .write("")
                    .so("a caller works on without its lock")
                    .foundBy(6),
            Bug.named("the shortest hold is ignored")
                    .in("engine/Tenure")
                    .insteadOf("Duration rest = atLeast == null ?")
                    .write("Duration rest = true ?")
                    .so("a job that has to run once is run twice by machines whose clocks differ")
                    .foundBy(0),
            Bug.named("the end of a block forgets what it waited for")
                    .in("engine/Tenure")
                    .insteadOf("numbersTimer = null; passOn();")
                    .write("numbersTimer = null;")
                    .so("the lock is held by nobody")
                    .foundBy(1),
            Bug.named("a lost session is not told to holders")
                    .in("engine/GrantedLock")
                    .insteadOf(
                            "released.complete(false); context.listener.lost(spec, number, held(), reason); lost.complete(null);")
                    .write("released.complete(false);")
                    .so("a caller works on without its lock")
                    .foundBy(0),
            Bug.named("a lost hold is not taken from its holder")
                    .in("engine/Tenure")
                    .insteadOf("current.lose(reason); current = null;")
                    .write("current = null;")
                    .so("a caller works on without its lock")
                    .foundBy(2),
            Bug.named("handles do not ask their session")
                    .in("engine/GrantedLock")
                    .insteadOf("Duration remaining = session.remaining();")
                    .write("Duration remaining = Duration.ofDays(1);")
                    .so("a handle is valid after the lease is over, beside its heir's")
                    .foundBy(0),
            Bug.named("a release never tells that the lock was lost")
                    .in("engine/GrantedLock")
                    .insteadOf("LossReason over = whyOver();")
                    .write("LossReason over = null;")
                    .so("a caller is told that its work was covered though it was not")
                    .foundBy(18),
            Bug.named("a caller that left keeps its grant")
                    .in("engine/Caller")
                    .insteadOf("granted.grant().release();")
                    .write("")
                    .so("the lock is held by somebody who has gone")
                    .foundBy(1),
            Bug.named("an undo is tried once")
                    .in("engine/Undo")
                    .insteadOf("sending, () -> true, answer -> {")
                    .write("sending, () -> false, answer -> {")
                    .so("one lost call and something is left behind for as long as the process lives")
                    .foundBy(42),
            Bug.named("nothing is undone")
                    .in("engine/Undo")
                    .insteadOf("persist(\"undo: release\", () -> store.release(key, block, time.now()), done);")
                    .write("done.run();")
                    .so("every late write keeps the lock from everyone")
                    .foundBy(5),
            Bug.named("calls never time out")
                    .in("engine/StoreCalls")
                    .insteadOf(
                            "() -> fail(new StoreFailure( StoreFailure.Kind.UNAVAILABLE, \"The store did not answer '\"")
                    .write(
                            "() -> java.util.Objects.requireNonNull(new StoreFailure( StoreFailure.Kind.UNAVAILABLE, \"The store did not answer '\"")
                    .so("one lost answer and the wait never ends")
                    .foundBy(1),
            Bug.named("an answer after the time-out is heard as well")
                    .in("engine/StoreCalls")
                    .insteadOf("if (ended) { return false; }")
                    .write("")
                    .so("one call is answered twice")
                    .foundBy(1),
            Bug.named("calls in flight are never counted down")
                    .in("engine/StoreCalls")
                    .insteadOf("inFlight--; sendQueued();")
                    .write("sendQueued();")
                    .so("after some calls nothing is sent any more")
                    .foundBy(0),
            Bug.named("no bound for calls in flight")
                    .in("engine/StoreCalls")
                    .insteadOf(
                            "Call<T> call = new Call<>(operation, sending, answered, failed, true); if (inFlight < settings.maxCallsInFlight()) {")
                    .write("Call<T> call = new Call<>(operation, sending, answered, failed, true); if (true) {")
                    .so("a beat queues behind thousands of calls and comes too late")
                    .foundBy(6),
            Bug.named("calls that had to wait are forgotten")
                    .in("engine/StoreCalls")
                    .insteadOf("inFlight--; sendQueued();")
                    .write("inFlight--;")
                    .so("the wait never ends")
                    .foundBy(6));

    private HoldingBugs() {}
}
