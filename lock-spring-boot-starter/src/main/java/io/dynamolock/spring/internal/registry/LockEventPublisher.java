package io.dynamolock.spring.internal.registry;

import io.dynamolock.LockEvent;
import io.dynamolock.LockListener;
import io.dynamolock.spring.annotation.LockLostEvent;
import io.dynamolock.spring.annotation.LockSessionLostEvent;
import io.dynamolock.spring.annotation.LockSessionStartedEvent;
import io.dynamolock.spring.internal.Daemons;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes losses and sessions as Spring events, one after the other, on its own thread: a listener of the application
 * that blocks must not keep other lock listeners, such as the meters, waiting. The thread ends when there has been
 * nothing to publish for ten seconds. Thread-safe.
 */
final class LockEventPublisher implements LockListener, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(LockEventPublisher.class);

    private static final int CAPACITY = 10_000;

    private final ApplicationEventPublisher publisher;
    private final ThreadPoolExecutor thread;
    /**
     * Whether events are being dropped, so that only the first drop is logged. Set by a drop, cleared by the next event
     * that is published.
     */
    private final AtomicBoolean isDropping = new AtomicBoolean();

    LockEventPublisher(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
        ThreadFactory threads = Daemons.named("dynamolock-events-");
        this.thread = new ThreadPoolExecutor(
                1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(CAPACITY), threads, (event, full) -> drop());
        thread.allowCoreThreadTimeOut(true);
    }

    @Override
    public void heard(LockEvent event) {
        Object published = eventFor(event);
        if (published != null) {
            thread.execute(() -> publish(published));
        }
    }

    private void drop() {
        if (!thread.isShutdown() && !isDropping.getAndSet(true)) {
            LOG.warn(
                    "The application's listeners for events of locks are too slow: {} events are waiting for them, and"
                            + " further ones are dropped",
                    CAPACITY);
        }
    }

    private static @Nullable Object eventFor(LockEvent event) {
        if (event instanceof LockEvent.Lost lost) {
            return new LockLostEvent(
                    lost.key(), lost.namespace(), lost.name(), lost.fencingToken(), lost.held(), lost.reason());
        } else if (event instanceof LockEvent.SessionLost lost) {
            return new LockSessionLostEvent(lost.session());
        } else if (event instanceof LockEvent.SessionStarted started) {
            return new LockSessionStartedEvent(started.session());
        }
        return null;
    }

    private void publish(Object event) {
        isDropping.set(false);
        try {
            publisher.publishEvent(event);
        } catch (Throwable e) {
            // A failure is expected when the context is closed, which publishes nothing any more.
            LOG.atLevel(thread.isShutdown() ? Level.DEBUG : Level.ERROR)
                    .setCause(e)
                    .log(
                            "A listener for a {} failed; locks are not affected",
                            event.getClass().getSimpleName());
        }
    }

    /** Waiting events are still published, if the context takes them. */
    @Override
    public void destroy() {
        thread.shutdown();
    }
}
