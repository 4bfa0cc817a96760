package io.dynamolock.simulation.bugs;

import io.dynamolock.internal.engine.EngineListener;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.simulation.Twist;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/** Settings, clocks and loops that are not what the engine takes them for. */
final class SurroundingsBugs {

    static final List<Bug> ALL = List.of(
            settings(
                    "no margin for drift",
                    is -> with(is, is.lease(), Duration.ZERO, is.pollMin(), is.pollMax(), is.callTimeout(), 0),
                    "a watcher with a faster clock buries a session that thinks itself valid",
                    0),
            settings(
                    "calls never time out",
                    is -> with(
                            is,
                            is.lease(),
                            is.driftMargin(),
                            is.pollMin(),
                            is.pollMax(),
                            Duration.ofHours(1),
                            is.maxCallsInFlight()),
                    "one lost answer and the wait never ends",
                    0),
            settings(
                    "no bound for calls in flight",
                    is -> with(is, is.lease(), is.driftMargin(), is.pollMin(), is.pollMax(), is.callTimeout(), 100_000),
                    "a beat queues behind thousands of calls and comes too late",
                    16),
            settings(
                    "looks without a pause",
                    is -> with(
                            is,
                            is.lease(),
                            is.driftMargin(),
                            Duration.ofMillis(2),
                            Duration.ofMillis(2),
                            is.callTimeout(),
                            is.maxCallsInFlight()),
                    "who waits costs as much as a hundred who work",
                    0),
            settings(
                    "looks too seldom",
                    is -> with(
                            is,
                            is.lease(),
                            is.driftMargin(),
                            is.pollMin().multipliedBy(100),
                            is.pollMax().multipliedBy(100),
                            is.callTimeout(),
                            is.maxCallsInFlight()),
                    "a free lock lies idle while callers want it",
                    0),
            settings(
                    "the lease is taken for twice as long",
                    is -> with(
                            is,
                            is.lease().multipliedBy(2),
                            is.driftMargin(),
                            is.pollMin(),
                            is.pollMax(),
                            is.callTimeout(),
                            is.maxCallsInFlight()),
                    "handles are valid for longer than anyone may rely on",
                    0),
            clock(
                    "the wall clock is ignored",
                    OneClock::byMonotonic,
                    "a virtual machine that was suspended wakes up believing in its locks",
                    297),
            clock("the monotonic clock is ignored", OneClock::byWall, "a clock that is set back prolongs the lease", 0),
            clock(
                    "a clock that runs slowly",
                    SlowClock::new,
                    "the lease of a process ends later for itself than for others",
                    0),
            loop(
                    "timers are never cancelled",
                    Uncancelled::new,
                    "what was planned happens though it is out of date",
                    0),
            loop("timers come late", Late::new, "waits end late, and beats come too seldom", 0),
            loop("timers are forgotten", Forgotten::new, "a finite wait never ends", 0),
            loop("steps run where they are handed in", Elsewhere::new, "two threads change the same state", 0),
            twist(
                    "a loss is not told",
                    new Twist() {
                        @Override
                        public EngineListener listener(EngineListener listener) {
                            return deafTo("lost", listener);
                        }
                    },
                    "a caller works on without its lock",
                    0));

    private SurroundingsBugs() {}

    private static EngineSettings with(
            EngineSettings is,
            Duration lease,
            Duration driftMargin,
            Duration pollMin,
            Duration pollMax,
            Duration callTimeout,
            int calls) {
        return new EngineSettings(
                is.owner(),
                lease,
                is.heartbeat(),
                driftMargin,
                pollMin,
                pollMax,
                is.lockDelay(),
                is.maxClockSkew(),
                callTimeout,
                calls == 0 ? is.maxCallsInFlight() : calls,
                is.retention(),
                is.maxQueue());
    }

    private static EngineListener deafTo(String event, EngineListener listener) {
        return (EngineListener) Proxy.newProxyInstance(
                EngineListener.class.getClassLoader(),
                new Class<?>[] {EngineListener.class},
                (proxy, method, args) -> method.getName().equals(event) ? null : method.invoke(listener, args));
    }

    private static Bug settings(String name, UnaryOperator<EngineSettings> change, String danger, long foundBy) {
        return twist(
                name,
                new Twist() {
                    @Override
                    public EngineSettings settings(EngineSettings settings) {
                        return change.apply(settings);
                    }
                },
                danger,
                foundBy);
    }

    private static Bug clock(String name, UnaryOperator<TimeSource> change, String danger, long foundBy) {
        return twist(
                name,
                new Twist() {
                    @Override
                    public TimeSource clock(TimeSource clock) {
                        return change.apply(clock);
                    }
                },
                danger,
                foundBy);
    }

    private static Bug loop(String name, UnaryOperator<EventLoop> change, String danger, long foundBy) {
        return twist(
                name,
                new Twist() {
                    @Override
                    public EventLoop loop(EventLoop loop) {
                        return change.apply(loop);
                    }
                },
                danger,
                foundBy);
    }

    private static Bug twist(String name, Twist twist, String danger, long foundBy) {
        return new TwistedBug(name, () -> twist, danger, foundBy);
    }

    /** Shows the same time on both clocks. */
    private record OneClock(TimeSource clock, boolean isMonotonic, long nanosAtFirst, Instant atFirst)
            implements TimeSource {

        static TimeSource byMonotonic(TimeSource clock) {
            return new OneClock(clock, true, clock.nanos(), clock.now());
        }

        static TimeSource byWall(TimeSource clock) {
            return new OneClock(clock, false, clock.nanos(), clock.now());
        }

        @Override
        public long nanos() {
            return isMonotonic
                    ? clock.nanos()
                    : nanosAtFirst + Duration.between(atFirst, clock.now()).toNanos();
        }

        @Override
        public Instant now() {
            return isMonotonic ? atFirst.plusNanos(clock.nanos() - nanosAtFirst) : clock.now();
        }
    }

    private static final class SlowClock implements TimeSource {

        private final TimeSource clock;
        private final long nanosAtFirst;
        private final Instant atFirst;

        SlowClock(TimeSource clock) {
            this.clock = clock;
            this.nanosAtFirst = clock.nanos();
            this.atFirst = clock.now();
        }

        @Override
        public long nanos() {
            return nanosAtFirst + (clock.nanos() - nanosAtFirst) * 4 / 5;
        }

        @Override
        public Instant now() {
            return atFirst.plus(
                    Duration.between(atFirst, clock.now()).multipliedBy(4).dividedBy(5));
        }
    }

    private static class LoopAround implements EventLoop {

        final EventLoop loop;

        LoopAround(EventLoop loop) {
            this.loop = loop;
        }

        @Override
        public boolean execute(Runnable step) {
            return loop.execute(step);
        }

        @Override
        public Timer schedule(Runnable step, Duration delay) {
            return loop.schedule(step, delay);
        }

        @Override
        public boolean isCurrent() {
            return loop.isCurrent();
        }

        @Override
        public void shutdown() {
            loop.shutdown();
        }
    }

    private static final class Uncancelled extends LoopAround {

        Uncancelled(EventLoop loop) {
            super(loop);
        }

        @Override
        public Timer schedule(Runnable step, Duration delay) {
            loop.schedule(step, delay);
            return () -> {};
        }
    }

    private static final class Late extends LoopAround {

        Late(EventLoop loop) {
            super(loop);
        }

        @Override
        public Timer schedule(Runnable step, Duration delay) {
            return loop.schedule(step, delay.multipliedBy(3));
        }
    }

    private static final class Forgotten extends LoopAround {

        private int timers;

        Forgotten(EventLoop loop) {
            super(loop);
        }

        @Override
        public Timer schedule(Runnable step, Duration delay) {
            return ++timers % 20 == 0 ? () -> {} : loop.schedule(step, delay);
        }
    }

    private static final class Elsewhere extends LoopAround {

        Elsewhere(EventLoop loop) {
            super(loop);
        }

        @Override
        public boolean execute(Runnable step) {
            step.run();
            return true;
        }
    }
}
