package io.dynamolock.chaos;

import java.util.ArrayList;
import java.util.List;

/** Collects the broken promises. */
final class Violations {

    private final List<Violation> all = new ArrayList<>();

    /** @param at about when; {@link Attempt#NONE} if it has no time */
    void add(String rule, String what, long at) {
        all.add(new Violation(rule, what, at));
    }

    List<Violation> all() {
        return all;
    }
}
