package io.dynamolock.chaos;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The faults of a worker or of the database: how often in comparison with the others, for how long, and how they begin
 * and end.
 */
enum Fault {
    /** SIGKILL, and a restart at the end of the fault. */
    KILL(4, 0, 3_000, Victim::kill, Victim::start),
    /** SIGTERM, so that the worker closes its registry, and a restart at the end of the fault. */
    STOP(2, 0, 2_000, victim -> victim.worker().stop(), Victim::start),
    /** SIGSTOP for less than a lease. */
    FREEZE(3, 100, 3_000, Victim::freeze, Victim::resume),
    /** SIGSTOP for more than a lease. */
    FREEZE_LONG(4, 4_200, 8_000, Victim::freeze, Victim::resume),
    /** No packet gets through, in neither direction. */
    PARTITION(3, 500, 3_500, victim -> victim.cut(Link.Cut.BOTH_WAYS), Victim::heal),
    /** No packet gets through for longer than a lease. */
    PARTITION_LONG(3, 4_500, 9_000, victim -> victim.cut(Link.Cut.BOTH_WAYS), Victim::heal),
    LOSE_REQUESTS(2, 500, 5_000, victim -> victim.cut(Link.Cut.REQUESTS), Victim::heal),
    LOSE_ANSWERS(3, 500, 5_000, victim -> victim.cut(Link.Cut.ANSWERS), Victim::heal),
    /** All packets get through, but late, as if many were lost and sent again. */
    LOSE_SOME(2, 1_000, 6_000, victim -> victim.slow(300), Victim::heal),
    /** Answers are slow, but come within the timeout of a call. */
    SLOW(3, 1_000, 6_000, victim -> victim.slow(150), Victim::heal),
    /** Few answers come within the timeout of a call. */
    VERY_SLOW(2, 1_000, 7_000, victim -> victim.slow(700), Victim::heal),
    /** All connections are reset once. */
    RESET(3, 0, 0, Victim::reset, Victim::heal),
    /** All connections are reset, again and again. */
    RESET_STORM(2, 500, 3_000, Victim::reset, Victim::heal),

    /** Most edits of locks fail. All other calls of the worker work, here and in the next three. */
    EDITS_FAIL(3, 1_000, 8_000, victim -> victim.fail(PartialFailures.Kind.EDITS), Victim::failNoMore),
    READS_FAIL(3, 1_000, 8_000, victim -> victim.fail(PartialFailures.Kind.READS), Victim::failNoMore),
    HEARTBEATS_FAIL(3, 1_000, 8_000, victim -> victim.fail(PartialFailures.Kind.HEARTBEATS), Victim::failNoMore),
    SESSION_READS_FAIL(2, 1_000, 8_000, victim -> victim.fail(PartialFailures.Kind.SESSION_READS), Victim::failNoMore),

    /** The database gets SIGKILL, and a restart at the end of the fault. */
    DATABASE_KILL(2, 0, 2_000, Victim::kill, Victim::start),
    DATABASE_FREEZE(3, 200, 3_000, Victim::freeze, Victim::resume),
    /** The database is frozen for more than a lease. */
    DATABASE_FREEZE_LONG(1, 4_200, 6_500, Victim::freeze, Victim::resume),
    /** All connections of all workers are reset. Other faults of the workers go on. */
    DATABASE_RESET(2, 0, 0, Victim::reset, victim -> {});

    interface Action {
        void on(Victim victim) throws InterruptedException;
    }

    private final int weight;
    private final int minMillis;
    private final int maxMillis;
    final Action begin;
    final Action end;

    Fault(int weight, int minMillis, int maxMillis, Action begin, Action end) {
        this.weight = weight;
        this.minMillis = minMillis;
        this.maxMillis = maxMillis;
        this.begin = begin;
        this.end = end;
    }

    boolean isOfDatabase() {
        return name().startsWith("DATABASE");
    }

    Duration anyDuration(Random random) {
        return Duration.ofMillis(minMillis + random.nextInt(maxMillis - minMillis + 1));
    }

    static Fault any(Random random, boolean ofDatabase) {
        List<Fault> weighted = Stream.of(values())
                .filter(fault -> fault.isOfDatabase() == ofDatabase)
                .flatMap(fault -> Collections.nCopies(fault.weight, fault).stream())
                .toList();
        return weighted.get(random.nextInt(weighted.size()));
    }
}
