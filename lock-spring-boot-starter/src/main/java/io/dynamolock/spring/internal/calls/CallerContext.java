package io.dynamolock.spring.internal.calls;

import io.dynamolock.spring.internal.Libraries;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the calling thread carries for those that go on with its work: the entries of a log's context, an observation. With
 * micrometer's context-propagation on the class path that is all that is registered there, without it nothing.
 */
final class CallerContext {

    private static final Logger LOG = LoggerFactory.getLogger(CallerContext.class);

    private CallerContext() {}

    /**
     * Runs tasks on its caller's thread, with what this thread carries now.
     *
     * @param contexts of Reactor, whose entries are carried as well
     */
    static Executor capture(Object... contexts) {
        return Libraries.CONTEXT_PROPAGATION ? Snapshots.capture(contexts) : Runnable::run;
    }

    /** Not to be touched without the library. */
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
                        // What the task has begun goes on.
                        LOG.warn("What the caller of a locked method carries could not be taken off a thread", e);
                    }
                }
            };
        }
    }
}
