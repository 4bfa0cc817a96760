package io.dynamolock.scale;

import io.dynamolock.internal.engine.VirtualTime;
import java.time.Duration;
import java.util.SplittableRandom;

/** Many wait for a few locks when DynamoDB falls silent. Hours later it answers again, to all of them at once. */
final class Outage {

    /** What happens. */
    record Load(int processes, int waiters, int keys, Duration section, Duration lasts, Duration limit) {}

    /**
     * What came of it; calls are those of one second.
     *
     * @param during the most while nothing was answered, but for the first minute
     * @param after the most once it answered again
     * @param atTheEnd those of the last whole second
     * @param servedWithin counted from the end of the silence
     */
    record Result(Ledger ledger, long during, long after, long atTheEnd, Duration servedWithin) {}

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Load load;
    private final VirtualTime time = new VirtualTime();
    private final VirtualTable table;
    private final LockSystem system;
    private final Ledger ledger = new Ledger(time);
    private final SplittableRandom random;
    private long last;
    private long most;

    private Outage(Load load, long seed) {
        this.load = load;
        random = new SplittableRandom(seed);
        table = new VirtualTable(time, seed + 1);
        system = Contestant.DYNAMOLOCK.start(table, load.processes(), seed + 2);
    }

    static Result run(Load load, long seed) {
        return new Outage(load, seed).run();
    }

    private Result run() {
        for (int i = 0; i < load.waiters(); i++) {
            time.in(Duration.ofNanos(random.nextLong(SECOND.toNanos())), this::ask);
        }
        time.advance(SECOND.dividedBy(2));
        table.setSilent(true);
        time.advance(MINUTE);
        countCalls();
        time.advance(load.lasts().minus(MINUTE));
        long during = most;
        most = 0;
        table.setSilent(false);
        ledger.countIdlenessFromNow();
        long begin = time.nanos();
        time.advanceUntil(() -> ledger.releases() == load.waiters(), load.limit());
        Duration servedWithin = Duration.ofNanos(time.nanos() - begin);
        long after = most;
        most = 0;
        time.advance(SECOND.multipliedBy(2));
        return new Result(ledger, during, after, most, servedWithin);
    }

    private void countCalls() {
        most = Math.max(most, last == 0 ? 0 : table.sent() - last);
        last = table.sent();
        time.in(SECOND, this::countCalls);
    }

    private void ask() {
        String key = "key-" + random.nextInt(load.keys());
        Ledger.Ask ask = ledger.asked(key);
        system.acquire(random.nextInt(load.processes()), key, held -> {
            ledger.granted(ask);
            time.in(load.section(), () -> {
                ledger.left(ask);
                held.release(ledger::released);
            });
        });
    }
}
