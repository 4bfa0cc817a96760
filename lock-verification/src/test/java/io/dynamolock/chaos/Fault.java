package io.dynamolock.chaos;

import java.time.Duration;
import java.util.Random;

/** What can happen to a worker or to the database, how often beside the others, and for how long. */
enum Fault {
    /** SIGKILL, and a restart after the time. */
    KILL(4, 0, 3_000),
    /** SIGTERM, so that it closes its registry, and a restart after the time. */
    STOP(2, 0, 2_000),
    /** SIGSTOP for less than a lease. */
    FREEZE(3, 100, 3_000),
    /** SIGSTOP for more than a lease. */
    FREEZE_LONG(4, 4_200, 8_000),
    /** No packet gets through, in neither direction. */
    PARTITION(3, 500, 3_500),
    /** The same for longer than a lease. */
    PARTITION_LONG(3, 4_500, 9_000),
    LOSE_REQUESTS(2, 500, 5_000),
    LOSE_ANSWERS(3, 500, 5_000),
    LOSE_SOME(2, 1_000, 6_000),
    /** Every answer takes a while, but comes within a call's timeout. */
    SLOW(3, 1_000, 6_000),
    /** Few answers come within a call's timeout. */
    VERY_SLOW(2, 1_000, 7_000),
    /** All connections are reset once. */
    RESET(3, 0, 0),
    /** All connections are reset, again and again. */
    RESET_STORM(2, 500, 3_000),

    /** The database gets SIGKILL, and is started again after the time. */
    DATABASE_KILL(2, 0, 2_000),
    DATABASE_FREEZE(3, 200, 3_000),
    /** The database does nothing for more than a lease. */
    DATABASE_FREEZE_LONG(1, 4_200, 6_500),
    /** All connections of all workers are reset. */
    DATABASE_RESET(2, 0, 0);

    private final int weight;
    private final int minMillis;
    private final int maxMillis;

    Fault(int weight, int minMillis, int maxMillis) {
        this.weight = weight;
        this.minMillis = minMillis;
        this.maxMillis = maxMillis;
    }

    boolean isOfDatabase() {
        return name().startsWith("DATABASE");
    }

    Duration anyDuration(Random random) {
        return Duration.ofMillis(minMillis + random.nextInt(maxMillis - minMillis + 1));
    }

    static Fault any(Random random, boolean ofDatabase) {
        int sum = 0;
        for (Fault fault : values()) {
            sum += fault.isOfDatabase() == ofDatabase ? fault.weight : 0;
        }
        int dice = random.nextInt(sum);
        for (Fault fault : values()) {
            if (fault.isOfDatabase() == ofDatabase) {
                dice -= fault.weight;
                if (dice < 0) {
                    return fault;
                }
            }
        }
        throw new IllegalStateException("the weights do not add up");
    }
}
