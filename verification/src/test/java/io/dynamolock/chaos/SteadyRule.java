package io.dynamolock.chaos;

import java.util.HashMap;
import java.util.Map;

/**
 * Nothing changes under a reader: as long as it holds the lock, it reads the same value twice. Readers only look at
 * registers with a fence; in the others, a writer that overran its lock may write at any time.
 */
final class SteadyRule implements Rule {

    @Override
    public void check(Observed observed, Violations violations) {
        Map<String, RegisterRead> first = new HashMap<>();
        for (RegisterRead read : observed.reads) {
            RegisterRead before = first.putIfAbsent(read.attempt() + " " + read.register(), read);
            if (before != null && read.heldAfter() && !before.value().equals(read.value())) {
                violations.add(
                        "nothing changes under a reader",
                        observed.attempts.get(read.attempt()) + " read " + before.value() + " and then " + read.value()
                                + " in " + read.register(),
                        read.at());
            }
        }
    }
}
