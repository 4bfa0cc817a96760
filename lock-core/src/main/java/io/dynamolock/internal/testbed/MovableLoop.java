package io.dynamolock.internal.testbed;

import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.loop.PooledEventLoop;
import java.time.Duration;

/** The event loop of production, with the timers of a clock that can be moved. Thread-safe. */
final class MovableLoop implements EventLoop {

    private final EventLoop steps;
    private final MovableTime time;

    /** For a process that has no registry. */
    MovableLoop(MovableTime time) {
        this(new PooledEventLoop("dynamolock-test"), time);
    }

    MovableLoop(EventLoop steps, MovableTime time) {
        this.steps = steps;
        this.time = time;
    }

    @Override
    public boolean execute(Runnable step) {
        return counted(steps.execute(time.step(step)));
    }

    private boolean counted(boolean willRun) {
        if (!willRun) {
            time.dropped();
        }
        return willRun;
    }

    @Override
    public Timer schedule(Runnable step, Duration delay) {
        return time.schedule(this, step, delay);
    }

    @Override
    public void shutdown() {
        steps.shutdown();
        time.forget(this);
    }
}
