package io.dynamolock.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * No lock has two valid holders at any time, and while a holder is valid the table names its process. A holder is valid
 * at least from the moment it knew of its grant until it could count on the lock by its own last observation, or until
 * it began to release. That also goes for one who was killed or frozen meanwhile.
 */
final class ExclusionRule implements Rule {

    private static final String NAME = "one valid holder";

    @Override
    public List<Violation> check(Observed observed) {
        List<Violation> violations = new ArrayList<>();
        Map<String, Attempt> latest = new HashMap<>();
        observed.attempts.values().stream()
                .filter(Attempt::wasHolder)
                .sorted(Comparator.comparing(attempt -> attempt.granted))
                .forEach(attempt -> {
                    Attempt before = latest.get(attempt.key);
                    if (before != null && before.heldUntil() > attempt.granted) {
                        violations.add(new Violation(
                                NAME, attempt.key + " was held by " + before + " and by " + attempt, attempt.granted));
                    }
                    if (before == null || before.heldUntil() < attempt.heldUntil()) {
                        latest.put(attempt.key, attempt);
                    }
                });
        for (Observed.HolderSeen seen : observed.holdersSeen) {
            Attempt holder = observed.attempts.get(seen.attempt());
            if (seen.heldAfter() && (!seen.owner().equals(holder.process) || seen.lastTicket() < holder.token)) {
                violations.add(new Violation(
                        NAME,
                        holder + " was valid when the table named " + seen.owner()
                                + " as the holder, with tickets up to " + seen.lastTicket(),
                        seen.at()));
            }
        }
        return violations;
    }
}
