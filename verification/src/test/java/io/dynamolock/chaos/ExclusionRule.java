package io.dynamolock.chaos;

/**
 * No two holds of a lock overlap, except for readers with readers, and for as many permits as the lock has. While a
 * holder is valid, the table names its process. A holder is valid at least from the moment it knew of its grant until
 * it could count on the lock by its own last observation, or until it began to release. That applies to killed and
 * frozen holders, too. A writer that goes on as a reader counts as a reader from before it asked for that, because
 * others may read as soon as its write has landed.
 */
final class ExclusionRule implements Rule {

    private static final String NAME = "one valid holder";

    @Override
    public void check(Observed observed, Violations violations) {
        HoldSpan.visit(observed, (span, beside) -> {
            Attempt attempt = span.attempt();
            for (HoldSpan other : beside) {
                if (!span.mode().sharesWith(other.mode())) {
                    violations.add(
                            NAME, attempt.key + " was held by " + other.attempt() + " and by " + attempt, span.from());
                }
            }
            if (span.mode() == HoldMode.PERMIT && beside.size() >= Keys.mostTogether(attempt.key)) {
                violations.add(NAME, attempt.key + " was held by " + attempt + " beside " + beside, span.from());
            }
        });
        for (Observed.HolderSeen seen : observed.holdersSeen) {
            Attempt holder = observed.attempts.get(seen.attempt());
            if (seen.heldAfter() && (!seen.owner().equals(holder.process) || seen.lastTicket() < holder.token)) {
                violations.add(
                        NAME,
                        holder + " was valid when the table named " + seen.owner()
                                + " as the holder, with tickets up to " + seen.lastTicket(),
                        seen.at());
            }
        }
    }
}
