package io.dynamolock.spring;

import java.util.concurrent.Executor;

/**
 * What the calling thread carries for those that go on with its work: the entries of a log's context, an observation. With
 * micrometer's context-propagation on the class path that is all that is registered there, without it nothing.
 */
final class CallerContext {

    private CallerContext() {}

    /** Runs tasks on its caller's thread, with what this thread carries now. */
    static Executor capture() {
        return Libraries.CONTEXT_PROPAGATION ? Snapshots.capture() : Runnable::run;
    }

    /** Not to be touched without the library. */
    private static final class Snapshots {

        private static final io.micrometer.context.ContextSnapshotFactory FACTORY =
                io.micrometer.context.ContextSnapshotFactory.builder().build();

        static Executor capture() {
            io.micrometer.context.ContextSnapshot snapshot = FACTORY.captureAll();
            return task -> snapshot.wrap(task).run();
        }
    }
}
