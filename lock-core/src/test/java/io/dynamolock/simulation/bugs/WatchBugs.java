package io.dynamolock.simulation.bugs;

import java.util.List;

/** Judging others: dead or alive, holding or not. */
final class WatchBugs {

    static final List<Bug> ALL = List.of();

    private WatchBugs() {}
}
