package io.dynamolock.simulation;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Kind;
import java.util.List;
import java.util.SplittableRandom;

/** As what the callers of a simulation want the lock, and who of them goes on as something else. */
final class Kinds {

    private static final List<List<Kind>> MIXTURES = List.of(
            List.of(Kind.READ, Kind.WRITE),
            List.of(Kind.READ, Kind.READ, Kind.READ, Kind.WRITE),
            List.of(Kind.READ, Kind.EXCLUSIVE),
            List.of(Kind.READ),
            List.of(Kind.WRITE, Kind.EXCLUSIVE),
            List.of(Kind.PERMIT),
            List.of(Kind.PERMIT),
            List.of(Kind.PERMIT, Kind.PERMIT, Kind.PERMIT, Kind.EXCLUSIVE),
            List.of(Kind.values()));

    private final SplittableRandom random;
    private final List<Kind> mixture;
    private final int oneOfDisagrees;
    private final int oneOfResizes;
    private int permits;

    private Kinds(SplittableRandom random) {
        this.random = random;
        this.mixture = MIXTURES.get(random.nextInt(MIXTURES.size()));
        this.permits = 1 + random.nextInt(4);
        this.oneOfDisagrees = random.nextInt(4) == 0 ? 10 : Integer.MAX_VALUE;
        this.oneOfResizes = random.nextInt(3) == 0 ? 30 : Integer.MAX_VALUE;
    }

    static Kinds drawnFrom(SplittableRandom random) {
        return new Kinds(random);
    }

    AcquireSpec next(AcquireSpec spec) {
        Kind kind = mixture.get(random.nextInt(mixture.size()));
        int other = random.nextInt(oneOfDisagrees) == 0 ? 1 : 0;
        return new AcquireSpec(
                spec.key(),
                spec.name(),
                spec.waitLimit(),
                spec.maxHold(),
                spec.holdAtLeast(),
                kind,
                kind == Kind.PERMIT ? permits + other : 0,
                spec.onlyIfExists());
    }

    /** Another number of permits, which somebody sets now, or 0. */
    int resizes() {
        if (!mixture.contains(Kind.PERMIT) || random.nextInt(oneOfResizes) != 0) {
            return 0;
        }
        permits = 1 + random.nextInt(5);
        return permits;
    }

    /** Whether a writer goes on as a reader, and after which part of its hold. */
    boolean downgrades() {
        return random.nextInt(3) == 0;
    }

    long within(long nanos) {
        return random.nextLong(Math.max(1, nanos));
    }
}
