package io.dynamolock.spring;

import io.dynamolock.LockEvent;
import io.dynamolock.LockListener;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes losses and sessions as events of Spring. On a thread of its own, one after the other: an application's listener that
 * blocks would keep the meters from hearing anything. The thread is there only while there is something to publish. Thread-safe.
 */
final class LockEventPublisher implements LockListener, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(LockEventPublisher.class);

    static final int CAPACITY = 10_000;

    private final ApplicationEventPublisher publisher;
    private final AtomicLong dropped = new AtomicLong();
    private final ThreadPoolExecutor thread = thread();

    LockEventPublisher(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    private static ThreadPoolExecutor thread() {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(CAPACITY), task -> {
                    Thread thread = new Thread(task, "dynamolock-events");
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    @Override
    public void heard(LockEvent event) {
        Object published = eventFor(event);
        if (published == null) {
            return;
        }
        try {
            thread.execute(() -> publish(published));
        } catch (RejectedExecutionException tooManyOrClosed) {
            if (!thread.isShutdown() && dropped.getAndIncrement() == 0) {
                LOG.warn(
                        "The application's listeners for events of locks are too slow: {} events are waiting for them, and"
                                + " further ones are dropped",
                        CAPACITY);
            }
        }
    }

    private static @Nullable Object eventFor(LockEvent event) {
        if (event instanceof LockEvent.Lost lost) {
            return LockLostEvent.of(lost);
        } else if (event instanceof LockEvent.SessionLost lost) {
            return new LockSessionLostEvent(lost.session());
        } else if (event instanceof LockEvent.SessionStarted started) {
            return new LockSessionStartedEvent(started.session());
        }
        return null;
    }

    private void publish(Object event) {
        try {
            publisher.publishEvent(event);
        } catch (Throwable e) {
            if (thread.isShutdown()) {
                LOG.debug("{} came when the context was closed", event, e);
            } else {
                LOG.error(
                        "A listener for a {} failed; locks are not affected",
                        event.getClass().getSimpleName(),
                        e);
            }
        }
        long missing = dropped.getAndSet(0);
        if (missing > 0) {
            LOG.warn("The application's listeners for events of locks are too slow: they missed {} events", missing);
        }
    }

    /** What waits is still published, as far as the context takes it. */
    @Override
    public void destroy() {
        thread.shutdown();
    }
}
