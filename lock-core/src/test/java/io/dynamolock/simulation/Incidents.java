package io.dynamolock.simulation;

import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What befalls processes, links and the store in the course of a simulation. */
final class Incidents {

    private static final List<FaultKind> KINDS = List.of(FaultKind.values()).stream()
            .filter(kind -> !kind.isOfOneCall())
            .toList();

    private final Cluster cluster;
    private final Workload workload;
    private final SplittableRandom random;
    private final long lease;
    private int left;

    Incidents(Cluster cluster, Workload workload, SplittableRandom random) {
        this.cluster = cluster;
        this.workload = workload;
        this.random = random;
        this.lease = cluster.lease().toNanos();
        // Crashed and stopped processes are replaced, but not for ever.
        this.left = 6;
    }

    /** Lets happen what happens within a step of this length. */
    void strike(Duration step) {
        double leases = step.toNanos() / (double) lease;
        for (FaultKind kind : KINDS) {
            if (random.nextDouble() < cluster.faults().intensity(kind) * leases) {
                strike(kind);
            }
        }
    }

    private void strike(FaultKind kind) {
        Member member = cluster.anyRunning();
        if (member == null || kind == FaultKind.CLOCK_RATES) {
            return;
        }
        SimulatedProcess process = member.process;
        String name = member.name();
        Duration span = span();
        SimulatedNetwork network = cluster.network();
        switch (kind) {
            case SLOW_LINK -> network.slow(name, span);
            case PARTITION -> network.cutOff(name, span, random.nextBoolean());
            case DEAF -> network.deafen(name, span);
            case BROWNOUT -> network.brownOut(name, span.multipliedBy(2), someOperations());
            case OUTAGE -> {
                network.outage(span);
                name = "store";
            }
            case EDGE_OF_LEASE -> {
                Duration silence = Duration.ofNanos((long) (process(member) * (0.6 + 0.45 * random.nextDouble())));
                span = silence;
                network.cutOff(name, silence, random.nextBoolean());
                // Who reads the session just before its next heartbeat lands has the answer after it.
                boolean othersOnly = random.nextBoolean();
                cluster.time().schedule(() -> slowAll(othersOnly ? member : null), silence.minusNanos(lease / 8));
            }
            case EXPIRY -> {
                int removed = cluster.table().removeExpired();
                if (removed == 0) {
                    return;
                }
                name = "store";
            }
            case DELETION -> {
                if (!cluster.table().deleteByHand(workload.anyKey())) {
                    return;
                }
                name = "somebody";
            }
            case FREEZE, LOOP_STALLS -> {
                process.freeze();
                thawAfter(process, span);
            }
            case MACHINE_PAUSE -> {
                process.pauseMachine();
                thawAfter(process, span);
            }
            case SLOW_PROCESS -> {
                process.slow(Duration.ofNanos(random.nextLong(lease / 50)));
                cluster.time().schedule(() -> process.slow(Duration.ZERO), span);
            }
            case WALL_CLOCK_SLIPS -> {
                span = Duration.ofNanos(random.nextLong(-lease, lease));
                process.moveWallClock(span);
            }
            case WALL_CLOCK_JUMPS -> {
                span = wallClockJump();
                process.moveWallClock(span);
            }
            case CRASH -> {
                if (left-- <= 0) {
                    return;
                }
                process.kill();
                cluster.traces().goneInAHurry(name);
                cluster.journal().dies(name);
                cluster.start();
            }
            case STOP -> {
                if (left-- <= 0) {
                    return;
                }
                stop(member);
                cluster.start();
            }
            default -> throw new IllegalStateException("not an incident: " + kind);
        }
        cluster.faults().struck(kind);
        cluster.history().add(name, "***", kind, "for", span);
    }

    private void stop(Member member) {
        cluster.journal().stops(member.name());
        member.shutdown = member.process.engine.shutdown();
        if (!cluster.faults().isCalm()) {
            // What it could not clean up while calls failed is left to others.
            cluster.traces().goneInAHurry(member.name());
        }
    }

    private void slowAll(@Nullable Member butOne) {
        for (Member member : cluster.members()) {
            if (member != butOne) {
                cluster.network().slow(member.name(), cluster.lease());
            }
        }
    }

    private static long process(Member member) {
        return member.link.settings().lease().toNanos();
    }

    private void thawAfter(SimulatedProcess process, Duration span) {
        cluster.time().schedule(process::thaw, span);
    }

    /** A moment, about a lease, or several of them. */
    private Duration span() {
        return Duration.ofNanos(
                switch (random.nextInt(4)) {
                    case 0 -> random.nextLong(lease / 4);
                    case 1 -> random.nextLong(lease);
                    case 2 -> (long) (lease * (0.8 + 0.4 * random.nextDouble()));
                    default -> random.nextLong(4 * lease);
                });
    }

    private Duration wallClockJump() {
        Duration skew = cluster.settings().maxClockSkew();
        if (cluster.faults().enabled(FaultKind.CLOCK_RATES)) {
            return Duration.ofSeconds(random.nextLong(-60, 60));
        }
        return switch (random.nextInt(3)) {
            case 0 -> Duration.ofSeconds(random.nextLong(-600, 600));
            case 1 -> Duration.ofNanos((long) (skew.toNanos() * (random.nextDouble() - 0.5) * 1.1));
            default -> Duration.ofMinutes(random.nextLong(-20, 20));
        };
    }

    private Set<StoreOperation> someOperations() {
        Set<StoreOperation> some = EnumSet.noneOf(StoreOperation.class);
        boolean beatsToo = random.nextInt(3) == 0;
        for (StoreOperation operation : Faults.OPERATIONS) {
            if (random.nextInt(3) == 0 && (beatsToo || operation != StoreOperation.BEAT)) {
                some.add(operation);
            }
        }
        return some;
    }
}
