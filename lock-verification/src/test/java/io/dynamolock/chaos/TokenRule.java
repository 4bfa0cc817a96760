package io.dynamolock.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Every grant has a greater number than every earlier one. Earlier is, whose grant was known before the other even
 * asked; and among those who found their lock still held when they heard of the grant, whoever heard earlier. Those who
 * heard too late, because they were frozen, may hear in any order.
 */
final class TokenRule implements Rule {

    private static final String NAME = "numbers rise";
    /** The lock was still held by the block, the fence was not below the number. */
    private static final String REFUSED_BY_FENCE_ONLY = "None,ConditionalCheckFailed";

    @Override
    public List<Violation> check(Observed observed) {
        List<Violation> violations = new ArrayList<>();
        Map<String, List<Attempt>> byKey = new HashMap<>();
        observed.granted()
                .forEach(attempt -> byKey.computeIfAbsent(attempt.key, key -> new ArrayList<>())
                        .add(attempt));
        byKey.values().forEach(grants -> {
            unique(grants, violations);
            risingAmongHolders(grants, violations);
            risingInRealTime(grants, violations);
        });
        for (RegisterWrite write : observed.writes.values()) {
            if (write.isFenced() && write.why.equals(REFUSED_BY_FENCE_ONLY)) {
                violations.add(new Violation(
                        NAME, write + " was refused by a greater number while its block held the lock", write.sent));
            }
        }
        return violations;
    }

    private static void unique(List<Attempt> grants, List<Violation> violations) {
        Set<Long> tokens = new HashSet<>();
        for (Attempt grant : grants) {
            if (!tokens.add(grant.token)) {
                violations.add(new Violation(NAME, grant + " has a number that was granted before", grant.granted));
            }
        }
    }

    private static void risingAmongHolders(List<Attempt> grants, List<Violation> violations) {
        Attempt greatest = null;
        for (Attempt grant : grants.stream()
                .filter(Attempt::wasHolder)
                .sorted(Comparator.comparing(attempt -> attempt.granted))
                .toList()) {
            if (greatest != null && grant.token < greatest.token) {
                violations.add(new Violation(NAME, grant + " came after " + greatest, grant.granted));
            } else {
                greatest = grant;
            }
        }
    }

    private static void risingInRealTime(List<Attempt> grants, List<Violation> violations) {
        List<Attempt> byAsking = grants.stream()
                .sorted(Comparator.comparing(attempt -> attempt.asked))
                .toList();
        List<Attempt> byGrant = grants.stream()
                .sorted(Comparator.comparing(attempt -> attempt.granted))
                .toList();
        Attempt greatest = null;
        int next = 0;
        for (Attempt asking : byAsking) {
            while (byGrant.get(next).granted < asking.asked) {
                Attempt earlier = byGrant.get(next++);
                greatest = greatest == null || earlier.token > greatest.token ? earlier : greatest;
            }
            if (greatest != null && asking.token < greatest.token) {
                violations.add(new Violation(NAME, asking + " asked after " + greatest, asking.granted));
            }
        }
    }
}
