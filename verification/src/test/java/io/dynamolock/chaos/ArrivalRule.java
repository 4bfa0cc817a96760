package io.dynamolock.chaos;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Callers of one process that want a lock in the same mode are granted it in the order of their arrival: if one had
 * asked before another began to ask, the later caller does not get a smaller number. That holds even if the process
 * loses its session meanwhile, because the callers ask anew in their order.
 */
final class ArrivalRule implements Rule {

    @Override
    public void check(Observed observed, Violations violations) {
        Map<String, List<Attempt>> queues = observed.granted(
                attempt -> attempt.arrived != Attempt.NONE,
                attempt -> attempt.process + " " + attempt.mode + " " + attempt.key);
        for (List<Attempt> queue : queues.values()) {
            Attempt latest = null;
            queue.sort(Comparator.<Attempt>comparingLong(attempt -> attempt.token)
                    .thenComparingLong(attempt -> attempt.asked));
            for (Attempt attempt : queue) {
                if (latest != null && latest.asked > attempt.arrived) {
                    violations.add(
                            "first come, first served",
                            latest + " came later and got the lock before " + attempt,
                            attempt.granted);
                }
                if (latest == null || attempt.asked > latest.asked) {
                    latest = attempt;
                }
            }
        }
    }
}
