package io.dynamolock.chaos;

import java.util.List;

/** What the checker found. */
record Verdict(List<Violation> violations, Summary summary) {

    List<String> brokenRules() {
        return violations.stream().map(Violation::rule).distinct().toList();
    }
}
