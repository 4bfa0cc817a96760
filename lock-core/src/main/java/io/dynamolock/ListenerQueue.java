package io.dynamolock;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a listener, one event after the other, on a thread of its own that is there only while there are events. A
 * listener that is too slow loses events; it never holds up locks or other callbacks.
 */
final class ListenerQueue {

    private static final Logger log = LoggerFactory.getLogger(ListenerQueue.class);

    static final int CAPACITY = 65_536;

    private final @Nullable LockListener listener;
    private final AtomicLong dropped = new AtomicLong();
    private final ThreadPoolExecutor thread;

    ListenerQueue(@Nullable LockListener listener) {
        this.listener = listener;
        this.thread = RegistryThreads.pool("dynamolock-listener", 1, new LinkedBlockingQueue<>(CAPACITY), this::drop);
    }

    /** Returns at once, whatever the listener does. */
    void add(Consumer<LockListener> event) {
        if (listener != null) {
            thread.execute(() -> tell(listener, event));
        }
    }

    private void tell(LockListener listener, Consumer<LockListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable e) {
            log.error("A lock listener failed; locks are not affected", e);
        }
        long missing = dropped.getAndSet(0);
        if (missing > 0) {
            log.warn("The lock listener is too slow: it missed {} events", missing);
        }
    }

    private void drop(Runnable event, ThreadPoolExecutor thread) {
        if (dropped.getAndIncrement() == 0) {
            log.warn(
                    "The lock listener is too slow: {} events are waiting for it, and further ones are dropped",
                    CAPACITY);
        }
    }

    /** The thread no longer stays for what may come. What waits is still told, and so is a hold that ends only now. */
    void shutdown() {
        thread.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
    }

    boolean hasThread() {
        return thread.getPoolSize() > 0;
    }
}
