package io.dynamolock.chaos;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Every grant has a greater number than every earlier one. A grant is earlier than another if it was known before the
 * other caller asked. Among callers that still held the lock when they heard of their grant, it is also earlier if it
 * was heard of earlier. Frozen callers that heard too late may hear in any order.
 *
 * <p>Readers have no order among themselves, and may have the same number. The number of a permit exceeds those of
 * grants that were known before the permit was asked for.
 */
final class TokenRule implements Rule {

    private static final String NAME = "numbers rise";
    /** The entry still held the lock, and the register's fence was not below the number. */
    private static final String REFUSED_BY_FENCE_ONLY = "None,ConditionalCheckFailed";

    @Override
    public void check(Observed observed, Violations violations) {
        observed.granted(attempt -> true, attempt -> attempt.key).forEach((key, grants) -> {
            unique(grants, violations);
            risingAmongHolders(grants, violations);
            risingInRealTime(grants, violations);
        });
        for (RegisterWrite write : observed.writes.values()) {
            if (write.isFenced() && write.why.equals(REFUSED_BY_FENCE_ONLY)) {
                violations.add(
                        NAME, write + " was refused by a greater number while its entry held the lock", write.sent);
            }
        }
    }

    /** The grants with the greatest numbers so far: of all, and of exclusive callers and writers. */
    private static final class Greatest {

        private Attempt ofAll;
        private Attempt ofAlone;

        void add(Attempt grant) {
            ofAll = greater(ofAll, grant);
            if (grant.mode.isAlone()) {
                ofAlone = greater(ofAlone, grant);
            }
        }

        private static Attempt greater(Attempt greatest, Attempt grant) {
            return greatest == null || grant.token > greatest.token ? grant : greatest;
        }
    }

    private static void unique(List<Attempt> grants, Violations violations) {
        Map<Long, Attempt> tokens = new HashMap<>();
        for (Attempt grant : grants) {
            Attempt before = tokens.putIfAbsent(grant.token, grant);
            if (before != null && !grant.mode.sharesWith(before.mode)) {
                violations.add(NAME, grant + " has the number of " + before, grant.granted);
            }
        }
    }

    private static void risingAmongHolders(List<Attempt> grants, Violations violations) {
        Greatest greatest = new Greatest();
        for (Attempt grant : grants.stream()
                .filter(Attempt::wasHolder)
                .sorted(Comparator.comparing(attempt -> attempt.granted))
                .toList()) {
            Attempt before = grant.mode.isAlone() ? greatest.ofAll : greatest.ofAlone;
            if (before != null && grant.token < before.token) {
                violations.add(NAME, grant + " came after " + before, grant.granted);
            }
            greatest.add(grant);
        }
    }

    private static void risingInRealTime(List<Attempt> grants, Violations violations) {
        List<Attempt> byAsking = grants.stream()
                .sorted(Comparator.comparing(attempt -> attempt.asked))
                .toList();
        List<Attempt> byGrant = grants.stream()
                .sorted(Comparator.comparing(attempt -> attempt.granted))
                .toList();
        Greatest greatest = new Greatest();
        int next = 0;
        for (Attempt asking : byAsking) {
            while (byGrant.get(next).granted < asking.asked) {
                greatest.add(byGrant.get(next++));
            }
            Attempt before = asking.mode == HoldMode.READ ? greatest.ofAlone : greatest.ofAll;
            if (before != null && asking.token < before.token) {
                violations.add(NAME, asking + " asked after " + before, asking.granted);
            }
        }
    }
}
