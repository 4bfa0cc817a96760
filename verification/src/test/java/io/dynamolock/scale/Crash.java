package io.dynamolock.scale;

import io.dynamolock.internal.engine.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** A process that holds a lock is gone: how long until the next one gets it. */
final class Crash {

    private static final String KEY = "key";
    private static final int WAITERS = 20;
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** How the holder goes, and who is there. */
    enum Kind {
        /** The holder crashes while others wait. */
        HOLDER("the holder crashes, twenty processes wait"),
        /** The holder crashes together with half of those who wait, who stand first in the queue. */
        HALF_OF_ALL("the holder crashes, and the first ten of the twenty with it"),
        /** The holder crashes, and only a second later somebody asks: counted from then. */
        BEFORE_ANYONE_ASKED("the holder crashes, one asks a second later"),
        /** The holder's process stops in order. */
        CLEAN_STOP("the holder's process stops in order, twenty processes wait");

        private final String title;

        Kind(String title) {
            this.title = title;
        }

        @Override
        public String toString() {
            return title;
        }
    }

    private final VirtualTime time = new VirtualTime();
    private final SplittableRandom random;
    private final LockSystem system;
    private boolean held;
    private boolean over;
    private boolean passedOn;

    private Crash(Contestant contestant, long seed) {
        random = new SplittableRandom(seed);
        system = contestant.start(new VirtualTable(time, seed + 1), WAITERS + 1, seed + 2);
    }

    /** One run for each seed. */
    static Waits run(Contestant contestant, Kind kind, long firstSeed, int runs) {
        List<Duration> durations = new ArrayList<>();
        for (long seed = firstSeed; seed < firstSeed + runs; seed++) {
            durations.add(new Crash(contestant, seed).run(kind));
        }
        return Waits.of(durations);
    }

    private Duration run(Kind kind) {
        system.acquire(0, KEY, grant -> held = true);
        until(() -> held);
        boolean waitersFirst = kind != Kind.BEFORE_ANYONE_ASKED;
        if (waitersFirst) {
            for (int i = 1; i <= WAITERS; i++) {
                ask(i);
                time.advance(Duration.ofMillis(100));
            }
        }
        // Long enough for every phase of a heartbeat.
        time.advance(Duration.ofSeconds(60).plusMillis(random.nextInt(60_000)));
        if (kind == Kind.CLEAN_STOP) {
            system.close(0);
        } else {
            system.kill(0);
        }
        if (kind == Kind.HALF_OF_ALL) {
            for (int i = 1; i <= WAITERS / 2; i++) {
                system.kill(i);
            }
        }
        over = true;
        if (!waitersFirst) {
            time.advance(Duration.ofSeconds(1));
            ask(1);
        }
        long begin = time.nanos();
        until(() -> passedOn);
        return Duration.ofNanos(time.nanos() - begin);
    }

    private void ask(int process) {
        system.acquire(process, KEY, grant -> {
            if (!over) {
                throw new AssertionError("two holders");
            }
            passedOn |= system.isAlive(process);
        });
    }

    private void until(BooleanSupplier condition) {
        if (!time.advanceUntil(condition, LONGEST)) {
            throw new AssertionError("not within " + LONGEST);
        }
    }
}
