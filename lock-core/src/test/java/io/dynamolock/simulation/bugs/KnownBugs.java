package io.dynamolock.simulation.bugs;

import io.dynamolock.simulation.Twist;
import java.util.List;
import java.util.stream.Stream;

/** The deliberate bugs; those around the engine by their names, for proofs in other modules. */
public final class KnownBugs {

    private KnownBugs() {}

    static Stream<Bug> all() {
        return Stream.of(
                        RuleBugs.ALL,
                        StoreBugs.ALL,
                        SurroundingsBugs.ALL,
                        EngineBugs.ALL,
                        JointBugs.ALL,
                        EvictionBugs.ALL)
                .flatMap(List::stream);
    }

    /** @return a new one, for one seed */
    public static Twist twist(String name) {
        return all().filter(bug -> bug.name().equals(name))
                .map(bug -> ((TwistedBug) bug).twist().get())
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("no such bug: " + name));
    }
}
