package io.dynamolock.chaos;

import java.util.Comparator;
import java.util.List;

/**
 * Readers, writers and permits of all processes are served in the order of their places: if a caller stood in the queue
 * before another one asked, the later one gets a greater number; and if the two cannot hold the lock together, the
 * later one is not granted it first. So readers that came later do not pass a writer. Readers have no order among
 * themselves.
 *
 * <p>The rule applies to callers that kept their places until their grant. A process that loses its session loses its
 * places, and asks anew. The rule does not apply to exclusive callers, because a caller may take the place that another
 * caller of its process has given up.
 */
final class PlaceRule implements Rule {

    private static final String NAME = "first come, first served";

    @Override
    public void check(Observed observed, Violations violations) {
        observed.granted(attempt -> attempt.mode != HoldMode.EXCLUSIVE, attempt -> attempt.key)
                .forEach((key, grants) -> {
                    for (HoldMode mode : Keys.modes(key)) {
                        check(standing(grants, mode), ofMode(grants, mode), violations);
                    }
                });
    }

    /** The callers that kept their places and that are ordered before callers of this mode. */
    private static List<Attempt> standing(List<Attempt> grants, HoldMode mode) {
        return grants.stream()
                .filter(grant -> grant.keptItsPlace && !(mode == HoldMode.READ && grant.mode == mode))
                .sorted(Comparator.comparingLong(grant -> grant.queued))
                .toList();
    }

    private static List<Attempt> ofMode(List<Attempt> grants, HoldMode mode) {
        return grants.stream()
                .filter(grant -> grant.mode == mode)
                .sorted(Comparator.comparingLong(grant -> grant.asked))
                .toList();
    }

    private static void check(List<Attempt> standing, List<Attempt> asking, Violations violations) {
        Attempt greatest = null;
        Attempt last = null;
        int next = 0;
        for (Attempt grant : asking) {
            while (next < standing.size() && standing.get(next).queued < grant.asked) {
                Attempt before = standing.get(next++);
                if (greatest == null || place(before) > place(greatest)) {
                    greatest = before;
                }
                boolean isAhead = !before.mode.sharesWith(grant.mode) && before.wasHolder();
                if (isAhead && (last == null || before.granted > last.granted)) {
                    last = before;
                }
            }
            if (greatest != null && grant.token <= place(greatest)) {
                violations.add(
                        NAME,
                        grant + " asked when " + greatest + " stood in the queue, and got in before it",
                        grant.granted);
            }
            if (last != null && grant.granted < last.granted) {
                violations.add(
                        NAME,
                        grant + " asked when " + last + " stood in the queue, and was served before it",
                        grant.granted);
            }
        }
    }

    /** A number that every caller behind this one exceeds, whether or not callers ahead give up. */
    private static long place(Attempt attempt) {
        return Math.min(attempt.queuedToken, attempt.token);
    }
}
