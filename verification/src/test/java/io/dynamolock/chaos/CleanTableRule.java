package io.dynamolock.chaos;

import io.dynamolock.chaos.Observed.Life;

/**
 * In the end every lock's queue is empty. Sessions are left only of processes that were killed or cut off, and of
 * beginnings that landed after the process had given them up; TTL removes those.
 */
final class CleanTableRule implements Rule {

    private static final String NAME = "a clean table";

    @Override
    public void check(Observed observed, Violations violations) {
        for (HistoryEvent left : observed.leftovers) {
            if (!left.text("kind").equals("session")) {
                violations.add(NAME, "left: " + left.line(), Attempt.NONE);
                continue;
            }
            Life owner = observed.life(left.text("owner"));
            boolean lateCreation = left.number("heartbeat") == 0 && !owner.sessions.contains(left.text("session"));
            if (!owner.killed && !owner.couldNotEndSession && owner.finished && !lateCreation) {
                violations.add(NAME, "left: " + left.line(), Attempt.NONE);
            }
        }
    }
}
