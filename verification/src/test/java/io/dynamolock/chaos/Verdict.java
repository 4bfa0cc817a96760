package io.dynamolock.chaos;

import java.util.List;

/** The findings of the checker. */
record Verdict(List<Violation> violations, Summary summary) {

    List<String> brokenRules() {
        return violations.stream().map(Violation::rule).distinct().toList();
    }
}
