package io.dynamolock.chaos;

/**
 * A holder is told of the loss of its lock: if the handle was seen to be invalid before the release, the release does
 * not say that the lock was still held, and the listener or the handle's callback tells of the loss.
 */
final class LossRule implements Rule {

    private static final String NAME = "losses are told";

    @Override
    public void check(Observed observed, Violations violations) {
        for (Attempt attempt : observed.granted()) {
            if (attempt.foundLost != Attempt.NONE) {
                if (attempt.heldUntil() > attempt.foundLost) {
                    violations.add(
                            NAME,
                            attempt + " was found lost at " + attempt.foundLost + " while it should have been valid",
                            attempt.foundLost);
                }
                if (attempt.stillHeld) {
                    violations.add(NAME, attempt + " was lost, but its release said it was held", attempt.released);
                }
            }
            boolean lost = attempt.released != Attempt.NONE && !attempt.stillHeld;
            if (lost && !attempt.toldOfLoss && observed.life(attempt.process).finished) {
                violations.add(NAME, attempt + " was lost and nobody told it", attempt.released);
            }
        }
    }
}
