package io.dynamolock.simulation.bugs;

import java.util.List;

/** A session that believes too long in itself, gives itself up, or is left behind. */
final class SessionBugs {

    static final List<Bug> ALL = List.of(Bug.named("a failed creation of a session is not repeated")
            .in("engine/SessionKeeper")
            .insteadOf("dependants.sessionNotStarted(why); retryLater();")
            .write("dependants.sessionNotStarted(why);")
            .so("one lost answer and the wait never ends"));

    private SessionBugs() {}
}
