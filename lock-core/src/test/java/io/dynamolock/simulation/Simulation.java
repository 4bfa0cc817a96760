package io.dynamolock.simulation;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * One seed decides everything: how many processes there are and how they are set up, what their users do, what goes
 * wrong and when. In seeds below zero there are readers, writers and permits; in the others everybody wants the lock
 * alone. The engine is the real one. After every step the promises are checked, and at the end that nothing is stuck and
 * nothing is left.
 */
public final class Simulation {

    private final long seed;
    private final SplittableRandom random;
    private final Cluster cluster;

    private Simulation(long seed, Twist twist, Journal journal) {
        this.seed = seed;
        // Neighbouring seeds of a SplittableRandom are unlike each other.
        this.random = new SplittableRandom(seed);
        this.cluster = new Cluster(random.split(), twist, journal);
    }

    /** Runs one seed; never throws for a broken promise. */
    public static Outcome run(long seed) {
        return run(seed, Twist.NONE);
    }

    /** Runs one seed with a bug in it. */
    public static Outcome run(long seed, Twist twist) {
        return new Simulation(seed, twist, Journal.NONE).run();
    }

    /** Runs one seed, perhaps with a bug in it, and writes down what the processes and the table did. */
    public static Outcome run(long seed, Twist twist, Journal journal) {
        return new Simulation(seed, twist, journal).run();
    }

    private Outcome run() {
        try {
            play();
        } catch (RuntimeException | Error failure) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            cluster.promises().broken("a step failed: " + trace);
        }
        Counts counts = cluster.counts();
        counts.add("seeds");
        counts.add("events", cluster.time().stepsRun());
        counts.add("virtual seconds", Duration.ofNanos(cluster.time().nanos()).toSeconds());
        cluster.faults().struck().forEach((kind, times) -> counts.add("fault " + kind, times));
        return new Outcome(seed, cluster.promises().violation(), cluster.history(), counts.byName());
    }

    private void play() {
        cluster.history().add("seed " + seed, "faults:", cluster.faults().toString());
        int processes = 1 + random.nextInt(4);
        for (int i = 0; i < processes; i++) {
            cluster.start();
        }
        // Fences have seeds of their own, and chance of their own: the other seeds are not changed by them.
        Workload workload = new Workload(
                cluster,
                random.split(),
                seed % 5 == 3 ? new SplittableRandom(~seed) : null,
                seed < 0 ? Kinds.drawnFrom(new SplittableRandom(~seed)) : null);
        Operator operator = Operator.of(seed, cluster, workload);
        Incidents incidents = new Incidents(cluster, workload, random.split());
        int steps = 20 + random.nextInt(150);
        long pace = cluster.lease().toNanos() / (random.nextBoolean() ? 8 : 40);
        for (int i = 0; i < steps && cluster.promises().areKept(); i++) {
            workload.act();
            if (operator != null) {
                operator.act();
            }
            Duration step = Duration.ofNanos(random.nextLong(2 * pace));
            incidents.strike(step);
            cluster.advance(step);
            if (cluster.settings().overHours() && random.nextInt(20) == 0) {
                cluster.history().add("all", "an hour or more passes");
                cluster.advance(Duration.ofMinutes(60 + random.nextLong(60)));
            }
        }
        if (cluster.promises().areKept()) {
            new Aftermath(cluster, workload, random.split(), operator).check();
        }
    }
}
