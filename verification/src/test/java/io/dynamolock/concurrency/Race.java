package io.dynamolock.concurrency;

import java.util.function.Supplier;

/**
 * Two threads do one thing each at the same time; when both are done, it is told what came of it. For one go.
 *
 * @param <A> what the threads find out, if anything
 */
public abstract class Race<A> {

    /** Written by one thread each, or both by one. */
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
