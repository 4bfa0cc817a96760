package io.dynamolock.spring.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** Threads that keep no process from ending. */
public final class Daemons {

    private Daemons() {}

    /** @param prefix begins their names */
    public static ThreadFactory named(String prefix) {
        CustomizableThreadFactory daemons = new CustomizableThreadFactory(prefix);
        daemons.setDaemon(true);
        return daemons;
    }

    /** Each task has one to itself. */
    public static Executor each(String prefix) {
        return task -> named(prefix).newThread(task).start();
    }
}
