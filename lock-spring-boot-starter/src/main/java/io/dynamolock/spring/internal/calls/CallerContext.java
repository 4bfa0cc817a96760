package io.dynamolock.spring.internal.calls;

import io.dynamolock.spring.internal.Libraries;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the calling thread carries for the threads that go on with its work, such as the entries of a log's context or
 * an observation. With Micrometer's context-propagation on the class path, that is everything registered there; without
 * it, nothing.
 */
final class CallerContext {

    private static final Logger LOG = LoggerFactory.getLogger(CallerContext.class);

    private CallerContext() {}

    /**
     * The executor runs each task on the thread that calls it, with what the current thread carries now.
     *
     * @param contexts of Reactor, whose entries are carried as well
     */
    static Executor capture(Object... contexts) {
        return Libraries.CONTEXT_PROPAGATION ? Snapshots.capture(contexts) : Runnable::run;
    }

    /** Loaded only if the library is there. */
    private static final class Snapshots {

        private static final io.micrometer.context.ContextSnapshotFactory FACTORY =
                io.micrometer.context.ContextSnapshotFactory.builder().build();

        static Executor capture(Object... contexts) {
            io.micrometer.context.ContextSnapshot snapshot = FACTORY.captureAll(contexts);
            return task -> {
                io.micrometer.context.ContextSnapshot.Scope entered = snapshot.setThreadLocals();
                try {
                    task.run();
                } finally {
                    try {
                        entered.close();
                    } catch (RuntimeException e) {
                        // The work that the task has begun is not affected.
                        LOG.warn("What the caller of a locked method carries could not be taken off a thread", e);
                    }
                }
            };
        }
    }
}
