package io.dynamolock.internal.loop;

import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.TimeSource;

/**
 * Runs a step at a deadline, or soon if the deadline has passed. The deadline may be changed. If it is moved to later,
 * the timer is left as it is: it goes off early, and sets another one. So a deadline that moves to later again and
 * again costs few timers. Lives on the event loop.
 */
public final class Alarm {

    private final EventLoop loop;
    private final TimeSource time;
    private final Runnable step;

    /** When the step is to run. */
    private Deadline deadline = Deadline.NEVER;

    /** When {@link #timer} goes off: not after the deadline; never if no timer is set. */
    private Deadline timerAt = Deadline.NEVER;

    private EventLoop.Timer timer = () -> {};

    public Alarm(EventLoop loop, TimeSource time, Runnable step) {
        this.loop = loop;
        this.time = time;
        this.step = step;
    }

    /** Replaces the deadline. */
    public void set(Deadline next) {
        deadline = next;
        if (deadline.isNever() || deadline.isBefore(timerAt)) {
            timer.cancel();
            timerAt = deadline;
            timer = deadline.isNever() ? () -> {} : loop.schedule(this::ring, deadline.remaining(time.moment()));
        }
    }

    public void cancel() {
        set(Deadline.NEVER);
    }

    private void ring() {
        boolean isEarly = timerAt.isBefore(deadline);
        timerAt = Deadline.NEVER;
        if (isEarly) {
            set(deadline);
        } else {
            step.run();
        }
    }
}
