package io.dynamolock.chaos;

import java.util.List;

/** Checks the observations of a run against all promises. */
final class Checker {

    private final RegisterRule registers = new RegisterRule();
    private final List<Rule> rules;

    /** @param lastGrantsOfEach how many grants each worker must get after the last fault */
    Checker(int lastGrantsOfEach) {
        rules = List.of(
                new ClockRule(),
                new ExclusionRule(),
                new TokenRule(),
                new ArrivalRule(),
                new PlaceRule(),
                new LossRule(),
                registers,
                new SteadyRule(),
                new ProgressRule(lastGrantsOfEach),
                new CleanTableRule());
    }

    Verdict check(Observed observed) {
        Violations violations = new Violations();
        rules.forEach(rule -> rule.check(observed, violations));
        return new Verdict(violations.all(), Summary.of(observed, registers.overruns, registers.unanswered));
    }
}
