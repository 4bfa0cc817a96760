package io.dynamolock.scale;

import io.dynamolock.internal.engine.VirtualTime;
import java.time.Duration;
import java.util.SplittableRandom;

/** Many callers in many processes ask for few or many locks, each for one short section. */
final class Contention {

    /**
     * A load of callers.
     *
     * @param callers the number of callers; each asks once
     * @param within the time within which they ask, at random moments
     * @param limit when the run is broken off, counted from the first request
     */
    record Load(int processes, int callers, int keys, Duration section, Duration within, Duration limit) {}

    /**
     * The result of a run.
     *
     * @param lasted from the first request until the last release was written, or the limit
     */
    record Result(Load load, Ledger ledger, Usage usage, Duration lasted) {

        boolean isFinished() {
            return ledger.releases() == load.callers();
        }

        double perSection(double count) {
            return count / Math.max(1, ledger.releases());
        }

        double sectionsPerSecond() {
            return ledger.releases() / (lasted.toNanos() / 1e9);
        }
    }

    private final Load load;
    final VirtualTime time = new VirtualTime();
    final VirtualTable table;
    final Ledger ledger;
    private final DynamoLockSystem system;
    private final SplittableRandom random;

    /** @param maxQueue the maximum number of entries in a queue */
    Contention(Load load, int maxQueue, long seed) {
        this.load = load;
        this.random = new SplittableRandom(seed);
        this.table = new VirtualTable(time, seed + 1);
        this.system = new DynamoLockSystem(table, load.processes(), seed + 2, maxQueue);
        this.ledger = new Ledger(time);
    }

    static Result run(Load load, int maxQueue, long seed) {
        return new Contention(load, maxQueue, seed).run();
    }

    private Result run() {
        table.forgetUsage();
        long begin = time.nanos();
        letAllAsk();
        time.advanceUntil(() -> ledger.releases() == load.callers(), load.limit());
        return new Result(load, ledger, table.usage(), Duration.ofNanos(time.nanos() - begin));
    }

    void letAllAsk() {
        long[] moments = random.longs(
                        load.callers(), 0, Math.max(1, load.within().toNanos()))
                .sorted()
                .toArray();
        askNext(moments, 0, time.nanos());
    }

    /** Schedules one caller at a time: a million timers at once would slow the clock down. */
    private void askNext(long[] moments, int index, long begin) {
        if (index < moments.length) {
            time.in(Duration.ofNanos(begin + moments[index] - time.nanos()), () -> {
                ask();
                askNext(moments, index + 1, begin);
            });
        }
    }

    private void ask() {
        String key = "key-" + random.nextInt(load.keys());
        Ledger.Ask ask = ledger.asked(key);
        system.acquire(random.nextInt(load.processes()), key, grant -> {
            ledger.granted(ask);
            time.in(load.section(), () -> {
                ledger.left(ask);
                grant.release(null).thenRun(ledger::released);
            });
        });
    }
}
