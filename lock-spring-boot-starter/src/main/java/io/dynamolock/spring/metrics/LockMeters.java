package io.dynamolock.spring.metrics;

import io.dynamolock.LeaderElection;
import io.dynamolock.LockEvent;
import io.dynamolock.LockListener;
import io.dynamolock.LockRegistry;
import io.dynamolock.spring.leaders.DynamoLeaders;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Counts and times the locks of a registry. Tags contain the name of a lock, never its key. Thread-safe. */
public final class LockMeters implements LockListener {

    private static final String WAIT = "dynamolock.wait";
    private static final String HOLD = "dynamolock.hold";
    private static final String EXCLUDES = "dynamolock.excludes";
    private static final String SESSIONS_LOST = "dynamolock.sessions.lost";

    /** The reasons of {@link LockEvent.Lost}. */
    private static final List<String> REASONS =
            List.of("session-lost", "max-hold", "taken-away", "evicted", "closed", "paused");

    /** The outcomes of {@link LockEvent.StayEnded}. */
    private static final List<String> STAY_OUTCOMES = List.of("came-back", "unused", "taken", "cut-short");

    /** The reasons of {@link LockEvent.Throttled}. */
    private static final List<String> THROTTLED_FOR =
            List.of("key-range", "table-capacity", "table-maximum", "index", "account", "unknown");

    /** Whose items {@link LockEvent.Unreadable} tells of. */
    private static final List<String> ITEMS = List.of("lock", "session");

    /** The reasons of {@link LockEvent.Unreadable}. */
    private static final List<String> UNREADABLE_FOR = List.of("format", "malformed");

    private final MeterRegistry meters;
    private final Predicate<String> isObserved;

    /** The names of locks that were seen so far: few, as they are tags of every meter. */
    private final Set<String> names = ConcurrentHashMap.newKeySet();

    /** What is going on in the registry of the gauges; null before {@link #registerGauges(LockRegistry)}. */
    private volatile @Nullable LongestNow longest;

    /** Meters that time each wait and each hold, for an application without {@code LockObservations}. */
    public LockMeters(MeterRegistry meters) {
        this(meters, timerName -> false);
    }

    /**
     * Meters without the timers that observations already provide. Registers the counters that have no tag with the
     * name of a lock at once, although they count nothing yet: an alert on a meter that does not exist never fires.
     *
     * @param isObserved whether observations provide the timer of a given name, so that this object leaves it out;
     *     called at the end of each wait and each hold
     */
    public LockMeters(MeterRegistry meters, Predicate<String> isObserved) {
        this.meters = meters;
        this.isObserved = isObserved;
        meters.counter(SESSIONS_LOST);
        conflicts("edit");
        THROTTLED_FOR.forEach(this::throttled);
        ITEMS.forEach(item -> UNREADABLE_FOR.forEach(reason -> unreadable(item, reason)));
    }

    /**
     * Adds gauges of the locks that this process holds and waits for, and of whether they exclude other processes, that
     * is, live in a table. Reading them costs no call to DynamoDB. A gauge {@code dynamolock.excludes} that is there
     * already is left as it is: whoever registered it knows that the table is in this process, as with DynamoDB Local.
     */
    public void registerGauges(LockRegistry locks) {
        if (meters.find(EXCLUDES).gauge() == null) {
            Gauge.builder(EXCLUDES, locks, registry -> registry.admin().table().isPresent() ? 1 : 0)
                    .description(
                            "1 where locks exclude other processes, 0 where they are switched off or in this process")
                    .register(meters);
        }
        longest = new LongestNow(locks, meters.config().clock());
        names.forEach(this::registerLongest);
        Gauge.builder("dynamolock.waiting", locks, registry -> registry.admin().waiting())
                .description("Callers of this process that wait for a lock now")
                .register(meters);
        Gauge.builder(
                        "dynamolock.held",
                        locks,
                        registry -> registry.admin().held().size())
                .description("Locks that this process holds now")
                .register(meters);
    }

    /** Adds a gauge for each election. */
    public void registerGauges(DynamoLeaders leaders) {
        for (String name : leaders.names()) {
            Gauge.builder("dynamolock.leader", leaders, elections -> elections.isLeader(name) ? 1 : 0)
                    .description("1 where this process leads, 0 where it waits")
                    .tags("name", name)
                    .register(meters);
        }
    }

    /**
     * Registers the counters and gauges for the locks of this name, so that alerts on them work before the first loss,
     * the first full queue and the first stay.
     */
    public void registerCounters(String name) {
        seen(name);
        REASONS.forEach(reason -> lost(name, reason));
        queueFull(name);
        STAY_OUTCOMES.forEach(outcome -> stay(name, outcome));
    }

    private void seen(String name) {
        if (names.add(name)) {
            registerLongest(name);
        }
    }

    /** Registering a gauge a second time changes nothing. */
    private void registerLongest(String name) {
        LongestNow now = longest;
        if (now != null) {
            TimeGauge.builder("dynamolock.hold.longest", now, TimeUnit.SECONDS, locks -> locks.hold(name))
                    .description("How long the longest held lock is held now")
                    .tags("name", name)
                    .strongReference(true)
                    .register(meters);
            TimeGauge.builder("dynamolock.wait.longest", now, TimeUnit.SECONDS, locks -> locks.waiting(name))
                    .description("How long the longest waiting caller waits now")
                    .tags("name", name)
                    .strongReference(true)
                    .register(meters);
        }
    }

    private Counter queueFull(String name) {
        return Counter.builder("dynamolock.queue.full")
                .description("Callers that found the queue full and waited outside")
                .tags("name", name)
                .register(meters);
    }

    private Counter lost(String name, String reason) {
        return Counter.builder("dynamolock.lost")
                .description("Locks lost while they were held")
                .tags("name", name, "reason", reason)
                .register(meters);
    }

    private Counter stay(String name, String outcome) {
        return Counter.builder("dynamolock.stay")
                .description("Stays of locks with this process after their release, by what came of them")
                .tags("name", name, "outcome", outcome)
                .register(meters);
    }

    private Counter conflicts(String operation) {
        return Counter.builder("dynamolock.store.conflicts")
                .description("Calls for locks that met a fenced write and were repeated")
                .tags("operation", operation)
                .register(meters);
    }

    private Counter throttled(String reason) {
        return Counter.builder("dynamolock.throttled")
                .description("Calls for locks that DynamoDB throttled")
                .tags("reason", reason)
                .register(meters);
    }

    private Counter unreadable(String item, String reason) {
        return Counter.builder("dynamolock.unreadable")
                .description("Calls for locks that found an item which cannot be read")
                .tags("item", item, "reason", reason)
                .register(meters);
    }

    @Override
    public void heard(LockEvent event) {
        if (event instanceof LockEvent.Queued queued) {
            seenIfNoElection(queued.namespace(), queued.name());
            recordDepth(queued.name(), queued.ahead());
        } else if (event instanceof LockEvent.QueueFull full) {
            seenIfNoElection(full.namespace(), full.name());
            recordDepth(full.name(), full.ahead());
            queueFull(full.name()).increment();
        } else if (event instanceof LockEvent.Acquired acquired) {
            seenIfNoElection(acquired.namespace(), acquired.name());
            if (!acquired.queued()) {
                recordDepth(acquired.name(), 0);
            }
            time(WAIT, acquired.name(), "acquired", acquired.waited());
        } else if (event instanceof LockEvent.TimedOut timedOut) {
            time(WAIT, timedOut.name(), "timeout", timedOut.waited());
        } else if (event instanceof LockEvent.Evicted evicted) {
            time(WAIT, evicted.name(), "evicted", evicted.waited());
        } else if (event instanceof LockEvent.Abandoned abandoned) {
            time(WAIT, abandoned.name(), "abandoned", abandoned.waited());
        } else if (event instanceof LockEvent.Released released) {
            time(HOLD, released.name(), "released", released.held());
        } else if (event instanceof LockEvent.Lost lost) {
            time(HOLD, lost.name(), "lost", lost.held());
            lost(lost.name(), lost.reason()).increment();
        } else if (event instanceof LockEvent.StayEnded stay) {
            stay(stay.name(), stay.outcome()).increment();
        } else if (event instanceof LockEvent.SessionLost) {
            meters.counter(SESSIONS_LOST).increment();
        } else if (event instanceof LockEvent.StoreCallFailed failed) {
            meters.counter("dynamolock.store.errors", "operation", failed.operation(), "kind", failed.kind())
                    .increment();
        } else if (event instanceof LockEvent.StoreCallConflicted conflicted) {
            conflicts(conflicted.operation()).increment();
        } else if (event instanceof LockEvent.Throttled throttled) {
            throttled(throttled.reason()).increment();
        } else if (event instanceof LockEvent.Unreadable unreadable) {
            unreadable(unreadable.item(), unreadable.reason()).increment();
        }
    }

    private void seenIfNoElection(String namespace, String name) {
        if (!namespace.equals(LeaderElection.NAMESPACE)) {
            seen(name);
        }
    }

    private void time(String meter, String name, String outcome, Duration duration) {
        if (!isObserved.test(meter)) {
            Timer.builder(meter)
                    .description(meter.equals(WAIT) ? "How long callers waited for a lock" : "How long locks were held")
                    .tags("name", name, "outcome", outcome)
                    .register(meters)
                    .record(duration);
        }
    }

    private void recordDepth(String name, long ahead) {
        DistributionSummary.builder("dynamolock.queue.depth")
                .description(
                        "How many callers were ahead when a caller entered the queue or found it full; 0 without queueing")
                .tags("name", name)
                .register(meters)
                .record((double) ahead);
    }
}
