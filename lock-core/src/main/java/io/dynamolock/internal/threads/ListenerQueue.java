package io.dynamolock.internal.threads;

import io.dynamolock.LockEvent;
import io.dynamolock.LockListener;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.EngineListener;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.engine.StayEnd;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.text.LockNames;
import io.dynamolock.internal.text.SafeFailure;
import io.dynamolock.internal.text.SafeText;
import io.dynamolock.internal.time.OncePerMinute;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the user's listeners what the engine says, one event after the other, on a separate thread that lives only
 * while there are events. Slow listeners miss events, but never hold up locks or other callbacks. Thread-safe.
 */
public final class ListenerQueue implements EngineListener {

    private static final Logger log = LoggerFactory.getLogger(ListenerQueue.class);

    /** Maximum number of events that wait for the listeners. */
    static final int CAPACITY = 65_536;

    /** Replaced as a whole when a listener is added. */
    private volatile List<LockListener> listeners;

    private final TimeSource time;
    private final StoreTroubles troubles;

    /**
     * When each warning was logged last, by the operation and the kind of its failure, the reason of throttling, the
     * sort of unreadable items or the reason of a loss, so that a frequent warning cannot hide a rare one.
     */
    private final Map<String, OncePerMinute> warnings = new ConcurrentHashMap<>();

    /** How many events were dropped since the listeners last took one. */
    private final AtomicLong dropped = new AtomicLong();

    final ThreadPoolExecutor thread;

    public ListenerQueue(List<LockListener> listeners, TimeSource time) {
        this.time = time;
        this.troubles = new StoreTroubles(time);
        this.listeners = listeners.stream().distinct().toList();
        this.thread = RegistryThreads.pool(
                "dynamolock-listener", 1, 1, new LinkedBlockingQueue<>(CAPACITY), RegistryThreads::thread);
        thread.setRejectedExecutionHandler(this::drop);
    }

    /** Adds a listener, which hears what happens from now on. Changes nothing if the listener is there already. */
    public synchronized void add(LockListener listener) {
        listeners = Stream.concat(listeners.stream(), Stream.of(listener))
                .distinct()
                .toList();
    }

    @Override
    public void queued(AcquireSpec spec, long ticket, long ahead) {
        add(new LockEvent.Queued(spec.key().key(), spec.key().namespace(), spec.name(), ticket, ahead));
    }

    @Override
    public void foundFull(AcquireSpec spec, long ahead) {
        add(new LockEvent.QueueFull(spec.key().key(), spec.key().namespace(), spec.name(), ahead));
    }

    @Override
    public void ended(AcquireSpec spec, AcquireOutcome how, Duration waited, boolean wasQueued) {
        String key = spec.key().key();
        String namespace = spec.key().namespace();
        if (how instanceof AcquireOutcome.Granted granted) {
            long ticket = granted.grant().ticket();
            add(new LockEvent.Acquired(key, namespace, spec.name(), ticket, waited, wasQueued));
        } else if (how instanceof AcquireOutcome.TimedOut) {
            add(new LockEvent.TimedOut(key, namespace, spec.name(), waited));
        } else if (how instanceof AcquireOutcome.Evicted) {
            add(new LockEvent.Evicted(key, namespace, spec.name(), waited));
        } else {
            add(new LockEvent.Abandoned(key, namespace, spec.name(), waited));
        }
    }

    @Override
    public void released(AcquireSpec spec, long ticket, Duration held) {
        add(new LockEvent.Released(spec.key().key(), spec.key().namespace(), spec.name(), ticket, held));
    }

    @Override
    public void lost(AcquireSpec spec, long ticket, Duration held, LossReason reason) {
        add(new LockEvent.Lost(
                spec.key().key(), spec.key().namespace(), spec.name(), ticket, held, reasonForUsers(reason)));
        String why = warningOf(reason);
        if (why != null) {
            oncePerMinute(
                    "lost " + reason,
                    () -> log.warn(
                            "A lock named {} (fencing token {}) was lost after {}: {}; this is said once a minute, however"
                                    + " often it happens (the counter dynamolock.lost counts each)",
                            SafeText.quote(spec.name()),
                            ticket,
                            held.truncatedTo(ChronoUnit.MILLIS),
                            why));
        }
    }

    /**
     * What to warn of; null if the registry loses its locks on purpose, or the loss of its session is logged
     * already.
     */
    private static @Nullable String warningOf(LossReason reason) {
        return switch (reason) {
            case MAX_HOLD -> "its maxHold is over, and its work goes on without it";
            case TAKEN_AWAY -> "somebody has changed or deleted its item in the table";
            case EVICTED -> "an operator had it taken away";
            case SESSION_LOST, CLOSED, PAUSED -> null;
        };
    }

    private static String reasonForUsers(LossReason reason) {
        return switch (reason) {
            case SESSION_LOST -> "session-lost";
            case MAX_HOLD -> "max-hold";
            case TAKEN_AWAY -> "taken-away";
            case EVICTED -> "evicted";
            case CLOSED -> "closed";
            case PAUSED -> "paused";
        };
    }

    @Override
    public void stayEnded(AcquireSpec leftBy, StayEnd how) {
        String tag = switch (how) {
            case CAME_BACK -> "came-back";
            case UNUSED -> "unused";
            case TAKEN -> "taken";
            case CUT_SHORT -> "cut-short";
        };
        add(new LockEvent.StayEnded(leftBy.key().key(), leftBy.key().namespace(), leftBy.name(), tag));
    }

    @Override
    public void sessionStarted(SessionId session) {
        troubles.sessionStarted();
        add(new LockEvent.SessionStarted(session.toString()));
    }

    @Override
    public void sessionLost(SessionId session) {
        troubles.sessionLost();
        add(new LockEvent.SessionLost(session.toString()));
    }

    @Override
    public void storeCallAnswered(String operation) {
        troubles.answered(operation);
    }

    @Override
    public void storeCallFailed(String operation, StoreFailure failure) {
        troubles.failed(operation, failure);
        String kind = failure.kind().name().toLowerCase(Locale.ROOT);
        if (failure.kind() == StoreFailure.Kind.CONFLICTED) {
            // Nothing is wrong: a fenced write of this table was under way, and the call is repeated.
            add(new LockEvent.StoreCallConflicted(operation));
            return;
        }
        add(new LockEvent.StoreCallFailed(operation, kind, failure));
        failure.throttling().ifPresent(why -> throttled(operation, failure, why));
        failure.unreadable().ifPresent(what -> unreadable(operation, failure, what));
        // Most failures are only logged here: no caller waits for the call, or the caller waits for ever, so no
        // exception tells of it.
        if (failure.throttling().isEmpty() && failure.unreadable().isEmpty()) {
            warn(operation + " " + kind, "The call '" + operation + "' fails (" + kind + ")", failure);
        }
    }

    /** A hot lock is throttled many times a second, and often in several processes. */
    private void throttled(String operation, StoreFailure failure, StoreFailure.Throttling reason) {
        LockKey lock = failure.key().orElse(null);
        add(new LockEvent.Throttled(
                lock == null ? null : lock.key(), lock == null ? null : lock.namespace(), operation, reason.tag()));
        if (lock != null) {
            log.debug("'{}' was throttled: the {}", operation, LockNames.describe(lock));
        }
        warn(reason.tag(), "DynamoDB throttles calls for locks (" + reason.tag() + ")", failure);
    }

    private void unreadable(String operation, StoreFailure failure, StoreFailure.Unreadable what) {
        LockKey lock = failure.key().orElse(null);
        String item = what.item().tag();
        String reason = what.reason().tag();
        add(new LockEvent.Unreadable(
                lock == null ? null : lock.key(), lock == null ? null : lock.namespace(), operation, item, reason));
        if (lock != null) {
            log.debug("'{}' found an item that cannot be read: the {}", operation, LockNames.describe(lock));
        }
        warn(
                item + " " + reason,
                what.item() == StoreFailure.Unreadable.Item.LOCK
                        ? "The item of a lock cannot be read, so callers of that lock fail (DEBUG names the lock)"
                        : "The item of a session cannot be read, so nobody can take over its locks",
                failure);
    }

    private void warn(String topic, String what, StoreFailure failure) {
        oncePerMinute(
                topic,
                () -> log.warn(
                        "{}; this is said once a minute, however often it happens: {}", what, failure.getMessage()));
    }

    private void oncePerMinute(String topic, Runnable warning) {
        warnings.computeIfAbsent(topic, firstTime -> new OncePerMinute(time)).run(warning);
    }

    /** The steps whose calls fail. */
    public StoreTroubles troubles() {
        return troubles;
    }

    /** Returns at once, whatever the listener does. */
    private void add(LockEvent event) {
        List<LockListener> present = listeners;
        if (!present.isEmpty()) {
            RegistryThreads.execute(thread, () -> tell(event, present));
        }
    }

    private void tell(LockEvent event, List<LockListener> present) {
        for (LockListener listener : present) {
            try {
                listener.heard(event);
            } catch (Throwable e) {
                log.error(
                        "The lock listener {} failed; locks are not affected",
                        listener.getClass().getName(),
                        SafeFailure.of(e));
            }
        }
        long missing = dropped.getAndSet(0);
        if (missing > 0) {
            log.warn("The lock listeners are too slow: they missed {} events", missing);
        }
    }

    private void drop(Runnable event, ThreadPoolExecutor thread) {
        if (dropped.getAndIncrement() == 0) {
            log.warn(
                    "The lock listeners are too slow: {} events are waiting for them, and further ones are dropped",
                    CAPACITY);
        }
    }

    /**
     * The thread ends as soon as no event waits. Events that wait are still told, and so are later ones, such as the
     * end of a hold.
     */
    public void shutdown() {
        RegistryThreads.endsWhenIdle(thread);
    }
}
