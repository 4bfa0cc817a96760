package io.dynamolock.concurrency;

import java.util.function.Supplier;

/**
 * Two threads do one thing each at the same time. When both are done, the race tells the outcome. Used once.
 *
 * @param <A> what the threads find out, if anything
 */
public abstract class Race<A> {

    /** Each is written by one thread; one thread may write both. */
    public A first;

    public A second;

    Runnable one;
    Runnable other;
    Supplier<String> end;

    /** @param end tells the outcome, when both are done */
    public final void between(Runnable one, Runnable other, Supplier<String> end) {
        this.one = one;
        this.other = other;
        this.end = end;
    }
}
