package io.dynamolock.chaos;

import io.dynamolock.chaos.Observed.FinalRegister;
import io.dynamolock.chaos.Registers.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * No update is lost. Every write says which value it read before. If two writes landed that had read the same value,
 * one overwrote the other unread.
 *
 * <p>That never happens in a fenced register. In the other register, it may happen to a writer that overran its lock:
 * at least one of the two writes was answered after its writer's lock had ended, by the writer's own record, or was
 * never answered, so that it could land at any time. Two writers that held the lock from the read to the answer never
 * clash.
 */
final class RegisterRule implements Rule {

    private static final String NAME = "no lost update";
    private static final String HARNESS = "the database is sound";

    /** Lost updates in registers without a fence that are no fault of the lock. */
    int overruns;

    /** Lost updates of this kind by a write that was never answered. */
    int unanswered;

    @Override
    public void check(Observed observed, Violations violations) {
        overruns = 0;
        unanswered = 0;
        Map<String, Map<String, RegisterWrite>> landed = new HashMap<>();
        for (RegisterWrite write : observed.writes.values()) {
            FinalRegister last = observed.registers.get(write.register);
            boolean seen = observed.readValues.contains(write.value)
                    || last != null && last.value().equals(write.value);
            if (write.outcome == Outcome.REFUSED && seen) {
                violations.add(HARNESS, write + " was refused, but its value was read", write.answered);
            }
            if (write.outcome == Outcome.LANDED || seen) {
                landed.computeIfAbsent(write.register, name -> new LinkedHashMap<>())
                        .put(write.value, write);
            }
        }
        for (Map.Entry<String, FinalRegister> register : observed.registers.entrySet()) {
            checkRegister(
                    register.getKey(),
                    register.getValue(),
                    landed.getOrDefault(register.getKey(), Map.of()),
                    violations);
        }
        for (String register : landed.keySet()) {
            if (!observed.registers.containsKey(register)) {
                violations.add(HARNESS, register + " was not read in the end", Attempt.NONE);
            }
        }
    }

    private void checkRegister(
            String register, FinalRegister last, Map<String, RegisterWrite> landed, Violations violations) {
        boolean fenced = register.startsWith(Registers.FENCED);
        Map<String, List<RegisterWrite>> byBase = new HashMap<>();
        for (RegisterWrite write : landed.values()) {
            byBase.computeIfAbsent(write.base, base -> new ArrayList<>()).add(write);
            if (!write.base.equals(Registers.initial(register)) && !landed.containsKey(write.base)) {
                violations.add(HARNESS, write + " has read what nobody wrote", write.sent);
            }
        }
        byBase.forEach((base, writes) -> {
            if (writes.size() > 1) {
                clash(base, writes, fenced, violations);
            }
        });
        if (byBase.containsKey(last.value())) {
            violations.add(
                    HARNESS,
                    byBase.get(last.value()) + " landed on the last value of " + register + " and is gone",
                    Attempt.NONE);
        }
        long answered = landed.values().stream()
                .filter(write -> write.outcome == Outcome.LANDED)
                .count();
        if (last.landed() < answered) {
            violations.add(
                    HARNESS,
                    register + ": " + answered + " writes were acknowledged, but " + last.landed() + " have landed",
                    Attempt.NONE);
        }
        Set<String> chain = chain(last.value(), landed);
        if (fenced && last.landed() != chain.size()) {
            violations.add(
                    NAME,
                    register + ": " + last.landed() + " writes have landed, but the last value is built on "
                            + chain.size(),
                    Attempt.NONE);
        }
    }

    private void clash(String base, List<RegisterWrite> writes, boolean fenced, Violations violations) {
        long clean = writes.stream().filter(RegisterWrite::isClean).count();
        if (fenced || clean > 1) {
            violations.add(NAME, "All of " + writes + " landed on " + base, writes.get(1).sent);
            return;
        }
        boolean overran = writes.stream().anyMatch(write -> write.outcome == Outcome.LANDED && !write.isClean());
        if (overran) {
            overruns += writes.size() - 1;
        } else {
            unanswered += writes.size() - 1;
        }
    }

    /** The chain of values that led to the last one, including that. */
    private static Set<String> chain(String last, Map<String, RegisterWrite> landed) {
        Set<String> chain = new HashSet<>();
        RegisterWrite write = landed.get(last);
        while (write != null && chain.add(write.value)) {
            write = landed.get(write.base);
        }
        return chain;
    }
}
