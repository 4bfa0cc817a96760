package io.dynamolock.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What can happen to a worker or to the database, how often beside the others, for how long, and how it begins and ends. */
enum Fault {
    /** SIGKILL, and a restart after the time. */
    KILL(
            4,
            0,
            3_000,
            victim -> victim.worker().kill(),
            victim -> victim.worker().start()),
    /** SIGTERM, so that it closes its registry, and a restart after the time. */
    STOP(
            2,
            0,
            2_000,
            victim -> victim.worker().stop(),
            victim -> victim.worker().start()),
    /** SIGSTOP for less than a lease. */
    FREEZE(
            3,
            100,
            3_000,
            victim -> victim.worker().freeze(),
            victim -> victim.worker().resume()),
    /** SIGSTOP for more than a lease. */
    FREEZE_LONG(4, 4_200, 8_000, FREEZE.begin, FREEZE.end),
    /** No packet gets through, in neither direction. */
    PARTITION(3, 500, 3_500, victim -> victim.link().cut(Link.Cut.BOTH_WAYS), Fault::heal),
    /** The same for longer than a lease. */
    PARTITION_LONG(3, 4_500, 9_000, PARTITION.begin, Fault::heal),
    LOSE_REQUESTS(2, 500, 5_000, victim -> victim.link().cut(Link.Cut.REQUESTS), Fault::heal),
    LOSE_ANSWERS(3, 500, 5_000, victim -> victim.link().cut(Link.Cut.ANSWERS), Fault::heal),
    LOSE_SOME(2, 1_000, 6_000, victim -> victim.link().cut(Link.Cut.SOME), Fault::heal),
    /** Every answer takes a while, but comes within a call's timeout. */
    SLOW(3, 1_000, 6_000, victim -> victim.link().slow(150), Fault::heal),
    /** Few answers come within a call's timeout. */
    VERY_SLOW(2, 1_000, 7_000, victim -> victim.link().slow(700), Fault::heal),
    /** All connections are reset once. */
    RESET(3, 0, 0, victim -> victim.link().reset(), Fault::heal),
    /** All connections are reset, again and again. */
    RESET_STORM(2, 500, 3_000, RESET.begin, Fault::heal),

    /** The database gets SIGKILL, and is started again after the time. */
    DATABASE_KILL(
            2,
            0,
            2_000,
            victim -> victim.database().kill(),
            victim -> victim.database().start()),
    DATABASE_FREEZE(
            3,
            200,
            3_000,
            victim -> victim.database().freeze(),
            victim -> victim.database().resume()),
    /** The database does nothing for more than a lease. */
    DATABASE_FREEZE_LONG(1, 4_200, 6_500, DATABASE_FREEZE.begin, DATABASE_FREEZE.end),
    /** All connections of all workers are reset. */
    DATABASE_RESET(
            2, 0, 0, victim -> victim.all().forEach(worker -> worker.link().reset()), victim -> {});

    /** Whom it happens to: a worker if there is one, else the database. */
    record Victim(@Nullable Worker worker, DatabaseProcess database, List<Worker> all) {

        /** The process that it is now. */
        String life() {
            return worker == null ? Schedule.DATABASE : worker.life();
        }

        Link link() {
            return worker.link();
        }
    }

    interface Action {
        void on(Victim victim) throws InterruptedException;
    }

    private final int weight;
    private final int minMillis;
    private final int maxMillis;
    private final Action begin;
    private final Action end;

    Fault(int weight, int minMillis, int maxMillis, Action begin, Action end) {
        this.weight = weight;
        this.minMillis = minMillis;
        this.maxMillis = maxMillis;
        this.begin = begin;
        this.end = end;
    }

    private static void heal(Victim victim) {
        victim.link().heal();
    }

    void begin(Victim victim) throws InterruptedException {
        begin.on(victim);
    }

    void end(Victim victim) throws InterruptedException {
        end.on(victim);
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
