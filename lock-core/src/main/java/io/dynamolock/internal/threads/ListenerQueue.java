package io.dynamolock.internal.threads;

import io.dynamolock.LockEvent;
import io.dynamolock.LockListener;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.EngineListener;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.engine.OncePerMinute;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.text.LockNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the user's listeners what the engine says, one event after the other, on a thread of its own that is there only
 * while there are events. Listeners that are too slow lose events; they never hold up locks or other callbacks.
 */
public final class ListenerQueue implements EngineListener {

    private static final Logger log = LoggerFactory.getLogger(ListenerQueue.class);

    static final int CAPACITY = 65_536;

    private volatile List<LockListener> listeners;
    private final TimeSource time;

    /** By the operation, or by the reason of throttling: a rare one must not hide behind a frequent one. On the event loop only. */
    private final Map<String, OncePerMinute> warnings = new ConcurrentHashMap<>();

    private final AtomicLong dropped = new AtomicLong();
    final ThreadPoolExecutor thread;

    public ListenerQueue(List<LockListener> listeners, TimeSource time) {
        this.time = time;
        this.listeners = listeners.stream().distinct().toList();
        this.thread = RegistryThreads.pool(
                "dynamolock-listener", 1, 1, new LinkedBlockingQueue<>(CAPACITY), RegistryThreads::thread);
        thread.setRejectedExecutionHandler(this::drop);
    }

    /** It hears what happens from now on, and all once. */
    public synchronized void add(LockListener listener) {
        listeners = Stream.concat(listeners.stream(), Stream.of(listener))
                .distinct()
                .toList();
    }

    @Override
    public void queued(AcquireSpec spec, long number, long ahead) {
        add(new LockEvent.Queued(spec.key().key(), spec.key().namespace(), spec.name(), number, ahead));
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
    public void released(AcquireSpec spec, long number, Duration held) {
        add(new LockEvent.Released(spec.key().key(), spec.key().namespace(), spec.name(), number, held));
    }

    @Override
    public void lost(AcquireSpec spec, long number, Duration held, LossReason reason) {
        add(new LockEvent.Lost(
                spec.key().key(), spec.key().namespace(), spec.name(), number, held, reasonForUsers(reason)));
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
    public void sessionStarted(SessionId session) {
        add(new LockEvent.SessionStarted(session.toString()));
    }

    @Override
    public void sessionLost(SessionId session) {
        add(new LockEvent.SessionLost(session.toString()));
    }

    @Override
    public void storeCallFailed(String operation, StoreFailure failure) {
        add(new LockEvent.StoreCallFailed(operation, failure));
        failure.throttling().ifPresent(why -> throttled(operation, failure, why));
        // Most calls are made for nobody who would be told.
        if (failure.kind() == StoreFailure.Kind.REFUSED || operation.equals(HEARTBEAT)) {
            warn(operation, "The call '" + operation + "' fails", failure);
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

    private void warn(String about, String what, StoreFailure failure) {
        warnings.computeIfAbsent(about, first -> new OncePerMinute(time))
                .run(() -> log.warn(
                        "{}; this is said once a minute, however often it happens: {}", what, failure.getMessage()));
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
                        e);
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

    /** The thread no longer stays for what may come. What waits is still told, and so is a hold that ends only now. */
    public void shutdown() {
        RegistryThreads.endsWhenIdle(thread);
    }
}
