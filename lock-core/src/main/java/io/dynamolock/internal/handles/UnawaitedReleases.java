package io.dynamolock.internal.handles;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The releases of one registry that are under way and that nobody awaits. There is room for as many of them as for
 * calls to the store. A caller that finds no room awaits its own release, so that an overload is felt where it is made.
 * Thread-safe.
 */
public final class UnawaitedReleases {

    private final int room;

    /** How many of these releases are under way. More than there is room for only by {@link #beginInAnyCase}. */
    private final AtomicInteger underWay = new AtomicInteger();

    /** @param room how many of these releases may be under way at once */
    public UnawaitedReleases(int room) {
        this.room = room;
    }

    /** @return whether there is room for one more, which the caller then begins and {@linkplain #end() ends} */
    boolean tryBegin() {
        return underWay.getAndUpdate(before -> before < room ? before + 1 : before) < room;
    }

    /** As {@link #tryBegin()}, for a thread that must not wait. */
    void beginInAnyCase() {
        underWay.incrementAndGet();
    }

    void end() {
        underWay.decrementAndGet();
    }
}
