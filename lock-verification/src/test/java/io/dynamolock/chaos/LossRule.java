package io.dynamolock.chaos;

import java.util.ArrayList;
import java.util.List;

/**
 * Whoever lost a lock is told: once the handle was seen to be invalid before its release, the release does not say that
 * the lock was still held, and the listener or the handle's callback tells of the loss.
 */
final class LossRule implements Rule {

    private static final String NAME = "losses are told";

    @Override
    public List<Violation> check(Observed observed) {
        List<Violation> violations = new ArrayList<>();
        for (Attempt attempt : observed.granted()) {
            if (attempt.foundLost != Attempt.NONE) {
                if (attempt.heldUntil() > attempt.foundLost) {
                    violations.add(new Violation(
                            NAME,
                            attempt + " was found lost at " + attempt.foundLost + " while it should have been valid",
                            attempt.foundLost));
                }
                if (attempt.stillHeld) {
                    violations.add(new Violation(
                            NAME, attempt + " was lost, but its release said it was held", attempt.released));
                }
            }
            boolean lost = attempt.released != Attempt.NONE && !attempt.stillHeld;
            if (lost && !attempt.toldOfLoss && observed.life(attempt.process).finished) {
                violations.add(new Violation(NAME, attempt + " was lost and nobody told it", attempt.released));
            }
        }
        return violations;
    }
}
