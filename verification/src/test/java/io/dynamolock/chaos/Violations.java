package io.dynamolock.chaos;

import java.util.ArrayList;
import java.util.List;

/** The promises that were broken, as they are found. */
final class Violations {

    private final List<Violation> all = new ArrayList<>();

    /** @param at around when; {@link Attempt#NONE} if at no special time */
    void add(String rule, String what, long at) {
        all.add(new Violation(rule, what, at));
    }

    List<Violation> all() {
        return all;
    }
}
