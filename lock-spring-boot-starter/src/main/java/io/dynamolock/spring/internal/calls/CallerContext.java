package io.dynamolock.spring.internal.calls;

import io.dynamolock.spring.internal.Libraries;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The context of the calling thread, handed to the threads that continue its work: logging context, observations and
 * the like. With Micrometer's context-propagation on the class path, every registered context is handed over; without
 * it, none.
 */
final class CallerContext {

    private static final Logger LOG = LoggerFactory.getLogger(CallerContext.class);

    private CallerContext() {}

    /**
     * The returned executor runs each task on the thread that calls it, with the context that the current thread has
     * now.
     *
     * @param contexts Reactor contexts whose entries are handed over as well
     */
    static Executor capture(Object... contexts) {
        return Libraries.CONTEXT_PROPAGATION ? Snapshots.capture(contexts) : Runnable::run;
    }

    /** Loaded only with Micrometer's context-propagation. */
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
                        // Work that the task has begun is not affected.
                        LOG.warn("What the caller of a locked method carries could not be taken off a thread", e);
                    }
                }
            };
        }
    }
}
