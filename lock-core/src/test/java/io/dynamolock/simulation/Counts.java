package io.dynamolock.simulation;

import java.util.Map;
import java.util.TreeMap;

/** What a run covered, by name. */
final class Counts {

    private final Map<String, Long> byName = new TreeMap<>();

    void add(String name) {
        add(name, 1);
    }

    void add(String name, long count) {
        byName.merge(name, count, Long::sum);
    }

    Map<String, Long> byName() {
        return byName;
    }
}
