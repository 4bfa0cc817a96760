package io.dynamolock.simulation;

import java.util.Arrays;

/** Plays the seeds it is given in a virtual machine of its own, and prints a number that stands for all that happened. */
final class Storyteller {

    /** Seeds of which each told one of several stories while somebody went through a set whose order differs from run to run. */
    static final long[] SEEDS = {341, 421, 597, 629, 1213};

    private Storyteller() {}

    public static void main(String[] seeds) {
        System.out.println(tell(Arrays.stream(seeds).mapToLong(Long::parseLong).toArray()));
        // Whatever runs on the common pool is of no interest any more.
        System.exit(0);
    }

    static String tell(long... seeds) {
        return Arrays.toString(Arrays.stream(seeds)
                .parallel()
                .mapToObj(Simulation::run)
                .mapToInt(outcome -> outcome.history().hashCode())
                .toArray());
    }
}
