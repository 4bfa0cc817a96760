package io.dynamolock.spring;

import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the calling thread carries for those that go on with its work: the entries of a log's context, an observation. With
 * micrometer's context-propagation on the class path that is all that is registered there, without it nothing.
 */
final class CallerContext {

    private static final Logger LOG = LoggerFactory.getLogger(CallerContext.class);

    private CallerContext() {}

    /** Runs tasks on its caller's thread, with what this thread carries now. */
    static Executor capture() {
        return Libraries.CONTEXT_PROPAGATION ? Snapshots.capture() : Runnable::run;
    }

    /**
     * Runs the step with what the subscriber's context carries, on this thread: where Reactor does not do so by itself, the
     * question for a lock would belong to no observation.
     *
     * @param context of Reactor
     */
    static <T> T in(Object context, Supplier<T> step) {
        return Libraries.CONTEXT_PROPAGATION ? Snapshots.in(context, step) : step.get();
    }

    /** Not to be touched without the library. */
    private static final class Snapshots {

        private static final io.micrometer.context.ContextSnapshotFactory FACTORY =
                io.micrometer.context.ContextSnapshotFactory.builder().build();

        static Executor capture() {
            io.micrometer.context.ContextSnapshot snapshot = FACTORY.captureAll();
            return task -> snapshot.wrap(task).run();
        }

        static <T> T in(Object context, Supplier<T> step) {
            io.micrometer.context.ContextSnapshot.Scope entered = FACTORY.setThreadLocalsFrom(context);
            try {
                return step.get();
            } finally {
                leave(entered);
            }
        }

        /** Quietly, because nobody would give back what the step has got. */
        private static void leave(io.micrometer.context.ContextSnapshot.Scope entered) {
            try {
                entered.close();
            } catch (Throwable e) {
                LOG.warn("What a subscriber carries could not be taken off the thread that asks for its lock", e);
            }
        }
    }
}
