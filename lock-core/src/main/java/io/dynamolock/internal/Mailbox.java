package io.dynamolock.internal;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs steps on threads of an executor, one at a time and in the order in which they came. Thread-safe. */
final class Mailbox {

    private static final Logger log = LoggerFactory.getLogger(Mailbox.class);

    private final Executor executor;
    private final Object monitor = new Object();
    private final Queue<Runnable> steps = new ArrayDeque<>();
    private boolean busy;
    private @Nullable Thread thread;

    Mailbox(Executor executor) {
        this.executor = executor;
    }

    /** Runs the step after those that came before, never within this call if the executor does not. */
    void execute(Runnable step) {
        synchronized (monitor) {
            steps.add(step);
            if (busy) {
                return;
            }
            busy = true;
        }
        executor.execute(this::run);
    }

    /** Whether the calling thread runs a step. */
    boolean isCurrent() {
        synchronized (monitor) {
            return thread == Thread.currentThread();
        }
    }

    private void run() {
        for (Runnable step = next(); step != null; step = next()) {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                log.error("A step of a leader election failed; this is a bug in DynamoLock, please report it", e);
            }
        }
    }

    private @Nullable Runnable next() {
        synchronized (monitor) {
            Runnable step = steps.poll();
            busy = step != null;
            thread = busy ? Thread.currentThread() : null;
            return step;
        }
    }
}
