package io.dynamolock.spring.internal.calls;

import io.dynamolock.internal.text.SafeFailure;
import io.dynamolock.spring.internal.Libraries;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The context of the calling thread, handed to the threads that continue its work: the logging context (MDC) in any
 * case, and with Micrometer's context-propagation on the class path every context that is registered there, such as
 * observations.
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
        Executor others = Libraries.CONTEXT_PROPAGATION ? Snapshots.capture(contexts) : Runnable::run;
        Map<String, String> logging = MDC.getCopyOfContextMap();
        // Inside, so that an MDC in a Reactor context wins, if an accessor for it is registered.
        return task -> runWith(logging, () -> others.execute(task));
    }

    /** The registered contexts do not include the MDC, unless the application has registered an accessor for it. */
    private static void runWith(@Nullable Map<String, String> logging, Runnable task) {
        Map<String, String> before = MDC.getCopyOfContextMap();
        setLogging(logging);
        try {
            task.run();
        } finally {
            setLogging(before);
        }
    }

    private static void setLogging(@Nullable Map<String, String> logging) {
        if (logging == null) {
            MDC.clear();
        } else {
            MDC.setContextMap(logging);
        }
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
                        LOG.warn(
                                "The context of a locked method's caller could not be removed from a thread.",
                                SafeFailure.of(e));
                    }
                }
            };
        }
    }
}
