package io.dynamolock.sample.page;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One reader of the page's events. There is room for one state: a newer state replaces one that was not sent yet, so a
 * slow reader sees fewer states and holds up nobody. Thread-safe.
 */
final class Subscriber {

    /** Takes the states. Blocks for as long as the reader is slow. */
    interface Connection {

        void send(String state) throws IOException;

        /** Ends the connection. */
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
     * @param gone called when the reader has left
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
                // The offered state stays, and is sent when the next one comes.
                sending.set(false);
                endUnsent();
            }
        }
    }

    /** No later call would end the connection, so do it here. Nothing is being sent, so this does not wait. */
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
                    // "sending" stays set, so that nothing is sent after the end.
                    connection.end();
                    return;
                }
                sending.set(false);
                // A state may have come after this thread looked for one and before it cleared "sending".
            } while ((ended || next.get() != null) && sending.compareAndSet(false, true));
        } catch (IOException | RuntimeException readerIsGone) {
            // "sending" stays set here, too.
            gone.run();
        }
    }
}
