package io.dynamolock.engine;

import io.dynamolock.protocol.Eviction;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives up a place that an operator wants given up: who waits in it leaves, who has the lock by it loses it. What follows is
 * what would follow if they had left by themselves, or their longest hold had been over. Lives on the event loop.
 */
final class PuttingOut {

    private final KeyParts parts;
    private final Entrance entrance;

    PuttingOut(KeyParts parts, Entrance entrance) {
        this.parts = parts;
        this.entrance = entrance;
    }

    /** An ask that is not answered has landed all the same if somebody saw its block: those who wait for the answer leave. */
    void obey(Block block, Eviction eviction) {
        if (!block.holds()) {
            waiting(block, eviction).forEach(parts.waits::evict);
            if (!block.hasCallers()) {
                // If a growth is under way, only callers that it brings in have the place.
                block.giveUp();
            }
        } else if (parts.kind.mode() != io.dynamolock.internal.protocol.Mode.EXCLUSIVE) {
            parts.hold.evict(block, block.reach(eviction));
            waiting(block, eviction).forEach(parts.waits::evict);
        } else if (!parts.hold.evict(block, block.reach(eviction)) && isNext(block, eviction)) {
            waiting(block, eviction).stream().limit(1).forEach(next -> {
                parts.waits.evict(next);
                // As if it had had its turn: another eviction of the same place is not one of those behind it.
                block.serves();
                parts.hold.passesOver();
            });
        }
    }

    /**
     * Whether, though nobody has the lock by this block at this moment, the first that waits in it was seen to have it: until
     * the block has its new number, by which it was seen, or if nobody has had it yet.
     */
    private static boolean isNext(Block block, Eviction eviction) {
        return !block.hasServed() || eviction.block().equals(block.renamedId());
    }

    /** Those who wait in it and were counted, also if this process has not heard yet that they have come into it. */
    private List<Caller> waiting(Block block, Eviction eviction) {
        int reach = block.reach(eviction);
        List<Caller> counted = new ArrayList<>();
        block.callers().stream().filter(caller -> caller.joinedAs() <= reach).forEach(counted::add);
        Joining growth = entrance.growthOf(block);
        if (growth != null && growth.countsUpTo() <= reach) {
            counted.addAll(growth.callers());
        }
        return counted;
    }
}
