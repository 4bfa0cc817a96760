package io.dynamolock.simulation;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A process hears that it is to give up a block, and who had the lock by that block then. */
final class EvictionHearing {

    private final List<SimulatedCaller> holders;
    private final @Nullable SimulatedCaller last;
    private final boolean allCounted;
    private boolean obeyed = true;
    private boolean givenBack;

    /**
     * @param holders had the lock and had not given it back
     * @param last was granted the lock by this block last; {@code null} if nobody was
     * @param allCounted whether nobody had come into the block after it was counted
     */
    EvictionHearing(List<SimulatedCaller> holders, @Nullable SimulatedCaller last, boolean allCounted) {
        this.holders = holders;
        this.last = last;
        this.allCounted = allCounted;
    }

    /** When the process has obeyed, or should have. */
    void judge() {
        obeyed = !allCounted || holders.stream().allMatch(EvictionHearing::isOver);
        givenBack = holders.isEmpty()
                ? last != null && last.releasedInTime
                : holders.stream().allMatch(caller -> caller.releasedInTime);
    }

    private static boolean isOver(SimulatedCaller caller) {
        return caller.released
                || caller.heard.contains("lost")
                || !Objects.requireNonNull(caller.grant).isValid();
    }

    /** Whether all who were counted have lost the lock, or had given it back. */
    boolean isObeyed() {
        return obeyed;
    }

    /** Nobody has lost the lock then, and so the place need not be given up: those who come next stay. */
    boolean findsItGivenBack() {
        return givenBack;
    }

    @Override
    public String toString() {
        return holders + (allCounted ? "" : " and later ones") + " after " + last;
    }
}
