package io.dynamolock.simulation.bugs;

import java.util.List;

/** A session that believes too long in itself, gives itself up, or is left behind. */
final class SessionBugs {

    static final List<Bug> ALL = List.of(
            Bug.named("validity from the answer to the beat")
                    .in("engine/SessionKeeper")
                    .insteadOf("current.extend(sending);")
                    .write("current.extend(Session.Sending.now(time));")
                    .so("a beat whose answer was slow prolongs a lease that others have seen end")
                    .foundBy(0),
            Bug.named("validity from the answer to the creation")
                    .in("engine/SessionKeeper")
                    .insteadOf("created(new Session(id, settings, time, sending))")
                    .write("created(new Session(id, settings, time, Session.Sending.now(time)))")
                    .so("a creation whose answer was slow gives a lease that others have seen end")
                    .foundBy(0),
            Bug.named("no margin for drift")
                    .in("engine/Session")
                    .insteadOf("settings.lease().minus(settings.driftMargin())")
                    .write("settings.lease()")
                    .so("a watcher with a faster clock buries a session that thinks itself valid")
                    .foundBy(0),
            Bug.named("the wall clock is ignored")
                    .in("engine/Session")
                    .insteadOf("byMonotonicClock.compareTo(byWallClock) < 0 ? byMonotonicClock : byWallClock")
                    .write("byMonotonicClock")
                    .so("a virtual machine that was suspended wakes up believing in its locks")
                    .foundBy(178),
            Bug.named("the monotonic clock is ignored")
                    .in("engine/Session")
                    .insteadOf("byMonotonicClock.compareTo(byWallClock) < 0 ? byMonotonicClock : byWallClock")
                    .write("byWallClock")
                    .so("a clock that is set back prolongs the lease")
                    .foundBy(1),
            Bug.named("only one beat")
                    .in("engine/SessionKeeper")
                    .insteadOf("beatLater(current, rest.isNegative() ? Duration.ZERO : rest);")
                    .write("")
                    .so("every lock of the process is lost after a lease")
                    .foundBy(0),
            Bug.named("a failed creation of a session is not repeated")
                    .in("engine/SessionKeeper")
                    .insteadOf("dependants.sessionNotStarted(why); retryLater();")
                    .write("dependants.sessionNotStarted(why);")
                    .so("one lost answer and the wait never ends")
                    .foundBy(49),
            Bug.named("a session given up while it was created is left")
                    .in("engine/SessionKeeper")
                    .insteadOf("if (why.mayHaveTakenEffect()) { ended.end(id); }")
                    .write("")
                    .so("garbage gathers in the table")
                    .foundBy(10),
            Bug.named("a lost session is left in the table")
                    .in("engine/SessionKeeper")
                    .insteadOf("} else { ended.end(current.id()); }")
                    .write("}")
                    .so("others wait a lease for locks that nobody holds")
                    .foundBy(0),
            Bug.named("the end of a session is tried once")
                    .in("engine/EndedSessions")
                    .insteadOf("() -> true,")
                    .write("() -> false,")
                    .so("others wait a lease for locks that nobody holds")
                    .foundBy(0),
            Bug.named("a wrong clock is not noticed at the start")
                    .in("engine/SessionKeeper")
                    .insteadOf("if (settings.maxClockSkew().isZero() || off")
                    .write("if (true || off")
                    .so("a process whose clock is late is buried while it holds")
                    .foundBy(7),
            Bug.named("a clock set back is not noticed")
                    .in("engine/SessionKeeper")
                    .insteadOf("if (!settings.maxClockSkew().isZero() && current.wallClockFellBack")
                    .write("if (false && current.wallClockFellBack")
                    .so("a process whose clock is set back is buried while it holds")
                    .foundBy(282),
            Bug.named("the waiters of a lost session are forgotten")
                    .in("engine/KeyQueue")
                    .insteadOf("front.stop(); numbering.putBack(callers);")
                    .write("front.stop();")
                    .so("a wait never ends")
                    .foundBy(0),
            Bug.named("close leaves the session")
                    .in("engine/LockEngine")
                    .insteadOf("endSession(session, 1); }")
                    .write("endSession(null, 1); }")
                    .so("others wait a lease for a process that has stopped cleanly")
                    .foundBy(0),
            Bug.named("close leaves the waiters waiting")
                    .in("engine/KeyQueue")
                    .insteadOf("if (caller.end(new AcquireOutcome.Closed())) {")
                    .write("if (false) {")
                    .so("a caller hangs for ever in a process that stops")
                    .foundBy(0),
            Bug.named("close stops before its calls are answered")
                    .in("engine/LockEngine")
                    .insteadOf("context.calls.whenIdle(() -> context.undo.whenDone(this::stop));")
                    .write("stop();")
                    .so("an entry under way lands after everything was cleaned up")
                    .foundBy(6));

    private SessionBugs() {}
}
