package io.dynamolock.chaos;

import io.dynamolock.chaos.Observed.Life;
import java.util.Map;

/**
 * Nothing is stuck: after the last fault, every thread of every worker gets every lock once more within the time that
 * the harness allows, and every process ends when it is asked to.
 *
 * @param lastGrantsOfEach how many last grants each worker that lived to the end must have
 */
record ProgressRule(int lastGrantsOfEach) implements Rule {

    private static final String NAME = "everybody goes on";

    @Override
    public void check(Observed observed, Violations violations) {
        for (Map.Entry<String, Life> entry : observed.lives.entrySet()) {
            Life life = entry.getValue();
            if (life.stuck) {
                violations.add(NAME, entry.getKey() + " did not end in time", Attempt.NONE);
            }
            if (life.draining && (!life.finished || life.lastGrants != lastGrantsOfEach)) {
                violations.add(
                        NAME,
                        entry.getKey() + " got " + life.lastGrants + " of its last " + lastGrantsOfEach + " locks",
                        Attempt.NONE);
            }
            life.crashes.forEach(why -> violations.add(NAME, entry.getKey() + " failed: " + why, Attempt.NONE));
        }
        if (observed.lives.values().stream().noneMatch(life -> life.draining)) {
            violations.add(NAME, "nobody was there in the end", Attempt.NONE);
        }
    }
}
