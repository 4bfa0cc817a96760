package io.dynamolock;

/**
 * Hears what a registry does, for metrics, logs and alarms.
 *
 * <p>Calls come one at a time and in the order of events, on a thread of the registry that does nothing else. They come
 * after the event: a listener cannot hold up or change anything. Its exceptions are logged. If more than 65,536 events
 * wait because the listeners of a registry are slow, further events are dropped, and the log says so.
 *
 * <pre>{@code
 * LockListener alarm = event -> {
 *     if (event instanceof LockEvent.Lost lost) {
 *         raise("lost " + lost.name() + ": " + lost.reason());
 *     }
 * };
 * }</pre>
 */
@FunctionalInterface
public interface LockListener {

    /** Something happened. There may be further types of events in later versions. */
    void heard(LockEvent event);
}
