package io.dynamolock.sample.page;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One reader of the page's events. It has room for one state: a newer one takes the place of one that was not sent yet,
 * so a slow reader sees fewer of them, and holds up nobody. Thread-safe.
 */
final class Subscriber {

    /** Where states go. May block as long as the reader is slow. */
    interface Connection {

        void send(String state) throws IOException;

        /** Ends it in order. */
        void end();
    }

    private final Connection connection;
    private final Executor executor;
    private final Runnable gone;
    private final AtomicReference<@Nullable String> next = new AtomicReference<>();
    private final AtomicBoolean sending = new AtomicBoolean();
    private volatile boolean ended;

    /**
     * @param executor where states are sent, on at most one thread for each subscriber
     * @param gone called when the reader is not there any more
     */
    Subscriber(Connection connection, Executor executor, Runnable gone) {
        this.connection = connection;
        this.executor = executor;
        this.gone = gone;
    }

    /** Never waits. */
    void offer(String state) {
        next.set(state);
        wakeSender();
    }

    /** Has the connection ended, after what is being sent now. Never waits. */
    void end() {
        ended = true;
        wakeSender();
    }

    private void wakeSender() {
        if (sending.compareAndSet(false, true)) {
            try {
                executor.execute(this::send);
            } catch (RejectedExecutionException noThread) {
                // What was offered stays, and goes with the next state.
                sending.set(false);
                endUnsent();
            }
        }
    }

    /** Nothing comes after an end that would try again. Nothing is being sent, so it does not wait here either. */
    private void endUnsent() {
        if (ended && sending.compareAndSet(false, true)) {
            try {
                connection.end();
            } catch (RuntimeException readerIsGone) {
                gone.run();
            }
        }
    }

    private void send() {
        try {
            do {
                for (String state = next.getAndSet(null); state != null && !ended; state = next.getAndSet(null)) {
                    connection.send(state);
                }
                if (ended) {
                    // Stays marked as sending: nothing comes after the end.
                    connection.end();
                    return;
                }
                sending.set(false);
                // Something may have come after the last look and before this thread said that it stops.
            } while ((ended || next.get() != null) && sending.compareAndSet(false, true));
        } catch (IOException | RuntimeException readerIsGone) {
            // Stays marked as sending here, too.
            gone.run();
        }
    }
}
