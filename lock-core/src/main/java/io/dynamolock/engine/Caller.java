package io.dynamolock.engine;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One caller on its way to a lock. Its outcome is decided once, by the loop or by its own leaving, whichever is first. All
 * but the outcome belongs to the event loop.
 */
final class Caller implements Acquisition {

    /** No answer that has come is one for the caller. */
    static final long NEVER_YET = Long.MAX_VALUE;

    private final CompletableFuture<AcquireOutcome> outcome = new CompletableFuture<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Set<Caller> waiting;
    private final AcquireSpec spec;
    private final Consumer<Caller> departures;
    private final long startedNanos;
    private final Instant since;

    /** Read by the caller's thread. Negative until it is queued. */
    private volatile long place = -1;

    private @Nullable Block block;
    private long arrival;
    private long number;
    private int joinedAs;
    private long owedSince;
    private EventLoop.@Nullable Timer deadline;

    /**
     * @param departures told when the caller leaves by itself
     * @param since when it has asked, by the wall clock
     * @param waiting has this caller for as long as it waits
     */
    Caller(AcquireSpec spec, Consumer<Caller> departures, long startedNanos, Instant since, Set<Caller> waiting) {
        this.waiting = waiting;
        this.since = since;
        this.spec = spec;
        this.departures = departures;
        this.startedNanos = startedNanos;
        waiting.add(this);
    }

    AcquireSpec spec() {
        return spec;
    }

    long startedNanos() {
        return startedNanos;
    }

    Instant since() {
        return since;
    }

    /**
     * A failure that passes as quickly as one call may take ends no wait, however short; an outage does. The lock could not
     * be asked for before there was a session.
     */
    boolean isOutOfPatience(EngineParts engine) {
        Duration patience = engine.context().settings.callTimeout();
        return engine.context().since(startedNanos).compareTo(patience) >= 0
                && engine.keeper().age().compareTo(patience) >= 0;
    }

    @Override
    public CompletableFuture<AcquireOutcome> outcome() {
        return outcome;
    }

    @Override
    public void abandon() {
        if (end(new AcquireOutcome.Abandoned())) {
            departures.accept(this);
        } else {
            outcome.thenAccept(how -> {
                if (how instanceof AcquireOutcome.Granted granted) {
                    granted.grant().giveBack();
                }
            });
        }
    }

    boolean isWaiting() {
        return !ended.get();
    }

    /** Whether this is how it ended: false if it had ended before. */
    boolean end(AcquireOutcome how) {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        waiting.remove(this);
        outcome.complete(how);
        return true;
    }

    /** @param end of its wait, so long after its start */
    void expectBefore(Duration limit, EngineContext context, Consumer<Caller> end) {
        Duration rest = limit.minus(context.since(startedNanos));
        deadline = context.loop.schedule(() -> end.accept(this), rest.isNegative() ? Duration.ZERO : rest);
    }

    void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel();
            deadline = null;
        }
    }

    /** Counts the callers of this lock in their order. */
    long arrival() {
        return arrival;
    }

    void arrivesAs(long count) {
        arrival = count;
    }

    /** The block that it stands in, once that has asked for a place. */
    @Nullable
    Block block() {
        return block;
    }

    void standsIn(@Nullable Block place) {
        block = place;
    }

    /** How many callers the entry of its block counted when it was the first to count this one. */
    int joinedAs() {
        return joinedAs;
    }

    void joinedAs(int callers) {
        joinedAs = callers;
    }

    /** Its ticket, once its block holds the lock. */
    long number() {
        return number;
    }

    void numbered(long ticket) {
        number = ticket;
    }

    boolean wasQueued() {
        return place >= 0;
    }

    /** @param ahead how many are before it */
    void markQueued(long ahead) {
        place = ahead;
    }

    @Override
    public OptionalLong place() {
        long known = place;
        return known < 0 ? OptionalLong.empty() : OptionalLong.of(known);
    }

    /** Its wait may not end before a call that was sent since then has been answered. */
    void owed(long since) {
        owedSince = since;
    }

    long owedSince() {
        return owedSince;
    }

    static boolean waitNotAtAll(Collection<Caller> callers) {
        return callers.stream().allMatch(caller -> caller.spec().waitsNotAtAll());
    }

    /** The shortest of these waits; of those who do not wait at all, none is over before it could look. */
    static Duration shortestWait(Collection<Caller> callers) {
        Duration shortest = AcquireSpec.FOREVER;
        for (Caller caller : callers) {
            Duration wait = caller.spec().waitLimit();
            shortest = !wait.isZero() && wait.compareTo(shortest) < 0 ? wait : shortest;
        }
        return shortest;
    }
}
