package io.dynamolock.simulation.bugs;

import java.util.List;

/** Bugs in the engine's own code that nothing around it can make. */
final class EngineBugs {

    static final List<Bug> ALL = List.of();

    private EngineBugs() {}
}
