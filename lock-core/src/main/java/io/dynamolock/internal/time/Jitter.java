package io.dynamolock.internal.time;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Shortens pauses at random, so that processes do not march in step. As thread-safe as its source of randomness. */
public final class Jitter {

    /** Largest part of a pause that is taken away. */
    private static final double MOST = 0.25;

    private final RandomGenerator random;

    public Jitter(RandomGenerator random) {
        this.random = random;
    }

    /** Anything from three quarters of the pause to the whole. */
    public Duration shorten(Duration pause) {
        return shorten(pause, MOST, random.nextDouble());
    }

    /**
     * The pause less a random part.
     *
     * @param most the largest part that is taken away, from 0 to 1
     * @param random which share of that part is taken away, from 0 to 1
     */
    public static Duration shorten(Duration pause, double most, double random) {
        return pause.minusNanos((long) (pause.toNanos() * most * random));
    }
}
