package io.dynamolock.scale;

import io.dynamolock.internal.engine.VirtualTime;
import java.time.Duration;

/**
 * Many callers wait for a few locks when DynamoDB stops answering. Hours later it answers again, to all callers at
 * once.
 */
final class Outage {

    /**
     * The result; numbers of calls are per second.
     *
     * @param during the maximum during the outage, without its first minute
     * @param after the maximum after the outage
     * @param atTheEnd the maximum in the two seconds after all callers were served
     * @param servedWithin counted from the end of the outage
     */
    record Result(Ledger ledger, long during, long after, long atTheEnd, Duration servedWithin) {}

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Contention.Load load;
    private final Contention contention;
    private final VirtualTime time;
    private long sent;
    private long most;

    private Outage(Contention.Load load, long seed) {
        this.load = load;
        contention = new Contention(load, DynamoLockSystem.USUAL_QUEUE, seed);
        time = contention.time;
    }

    /** @param lasts the length of the outage, which begins when half of the callers have asked */
    static Result run(Contention.Load load, Duration lasts, long seed) {
        return new Outage(load, seed).run(lasts);
    }

    private Result run(Duration lasts) {
        contention.letAllAsk();
        time.advance(load.within().dividedBy(2));
        contention.table.setSilent(true);
        time.advance(MINUTE);
        sent = contention.table.sent();
        time.in(SECOND, this::countCalls);
        time.advance(lasts.minus(MINUTE));
        long during = mostCalls();
        contention.table.setSilent(false);
        contention.ledger.countIdlenessFromNow();
        long begin = time.nanos();
        time.advanceUntil(() -> contention.ledger.releases() == load.callers(), load.limit());
        Duration servedWithin = Duration.ofNanos(time.nanos() - begin);
        long after = mostCalls();
        time.advance(SECOND.multipliedBy(2));
        return new Result(contention.ledger, during, after, mostCalls(), servedWithin);
    }

    private void countCalls() {
        long now = contention.table.sent();
        most = Math.max(most, now - sent);
        sent = now;
        time.in(SECOND, this::countCalls);
    }

    /** The maximum in one second since the last call of this method. */
    private long mostCalls() {
        long calls = most;
        most = 0;
        return calls;
    }
}
