package io.dynamolock.chaos;

import io.dynamolock.chaos.Observed.Life;

/**
 * In the end every lock's queue is empty, and there are no sessions but those of processes that were killed or cut off,
 * and those that were never announced: the beginning of a session can land after it was given up, for TTL to remove.
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
