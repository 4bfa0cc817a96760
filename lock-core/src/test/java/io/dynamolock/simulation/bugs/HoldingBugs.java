package io.dynamolock.simulation.bugs;

import java.util.List;

/** Holders, their releases and what is left behind them. */
final class HoldingBugs {

    static final List<Bug> ALL = List.of(
            Bug.named("hand-over past another's number")
                    .in("engine/Tenure")
                    .insteadOf("boolean reachable = other.directlyFollows(previous) &&")
                    .write("boolean reachable =")
                    .so("a busy process never lets others have the lock"),
            Bug.named("a block follows whatever lies between")
                    .in("engine/Block")
                    .insteadOf("return other.last + 1 == reach;")
                    .write("return other.last < reach;")
                    .so("a busy process never lets others have the lock"),
            Bug.named("no check of the session before a grant")
                    .in("engine/Tenure")
                    .insteadOf("if (!granted.session().isValid() || context.grants.isClosed()) {")
                    .write("if (context.grants.isClosed()) {")
                    .so("a process that was asleep tells a caller that it has the lock"),
            Bug.named("a closed engine still grants")
                    .in("engine/Tenure")
                    .insteadOf("if (!granted.session().isValid() || context.grants.isClosed()) {")
                    .write("if (!granted.session().isValid()) {")
                    .so("?"),
            Bug.named("a release is sent once")
                    .in("engine/Tenure")
                    .insteadOf("() -> releasing == granted,")
                    .write("() -> false,")
                    .so("one lost call and the lock is held by nobody for as long as the process lives"),
            Bug.named("a hand-over is sent once")
                    .in("engine/Tenure")
                    .insteadOf("next.last(), context.time.now()), () -> from.is(Stage.CHANGING),")
                    .write("next.last(), context.time.now()), () -> false,")
                    .so("one lost call and the queue stands still"),
            Bug.named("a rename is sent once")
                    .in("engine/Tenure")
                    .insteadOf("() -> granted.is(Stage.CHANGING),")
                    .write("() -> false,")
                    .so("one lost call and the queue stands still"),
            Bug.named("the end of a block forgets what it waited for")
                    .in("engine/Tenure")
                    .insteadOf("numbersTimer = null; passOn();")
                    .write("numbersTimer = null;")
                    .so("the lock is held by nobody"),
            Bug.named("a lost session is not told to holders")
                    .in("engine/GrantedLock")
                    .insteadOf("released.complete(false); context.listener.lost(spec, number, held(), reason);"
                            + " lost.complete(null);")
                    .write("released.complete(false);")
                    .so("a caller works on without its lock"),
            Bug.named("a lost hold is not taken from its holder")
                    .in("engine/Tenure")
                    .insteadOf("current.lose(reason); current = null;")
                    .write("current = null;")
                    .so("a caller works on without its lock"),
            Bug.named("handles do not ask their session")
                    .in("engine/GrantedLock")
                    .insteadOf("Duration remaining = session.remaining();")
                    .write("Duration remaining = Duration.ofDays(1);")
                    .so("a handle is valid after the lease is over, beside its heir's"),
            Bug.named("nothing is undone")
                    .in("engine/Undo")
                    .insteadOf("persist(\"undo: release\", () -> store.release(key, block, time.now()), done);")
                    .write("done.run();")
                    .so("every late write keeps the lock from everyone"),
            Bug.named("an answer after the time-out is heard as well")
                    .in("engine/StoreCalls")
                    .insteadOf("if (ended) { return false; }")
                    .write("")
                    .so("one call is answered twice"),
            Bug.named("calls in flight are never counted down")
                    .in("engine/StoreCalls")
                    .insteadOf("inFlight--; sendQueued();")
                    .write("sendQueued();")
                    .so("after some calls nothing is sent any more"));

    private HoldingBugs() {}
}
