package io.dynamolock.engine;

import io.dynamolock.protocol.LockData;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Many grants at once: each is a {@link Hold} of its own, by the block that its caller stood in. A block never gets a new
 * number because one of its callers was forced out: none of them can have a fence, by which it could still write. Lives on
 * the event loop.
 */
final class SharedHold implements Holds {

    private record Share(Block block, Hold hold) {}

    private final Map<GrantedLock, Share> shares = new LinkedHashMap<>();

    @Override
    public boolean isOut(Block block) {
        return shares.values().stream()
                .anyMatch(share -> share.block() == block && share.hold().isOut(block));
    }

    @Override
    public @Nullable GrantedLock current() {
        for (Share share : shares.values()) {
            GrantedLock current = share.hold().current();
            if (current != null) {
                return current;
            }
        }
        return null;
    }

    @Override
    public void grant(Block block, GrantedLock grant, Function<Duration, EventLoop.Timer> forcingOut) {
        Hold hold = new Hold();
        shares.put(grant, new Share(block, hold));
        hold.grant(block, grant, forcingOut);
    }

    @Override
    public Duration release(GrantedLock grant, @Nullable LossReason over) {
        Share share = shares.get(grant);
        if (share == null) {
            grant.releaseCompleted(over);
            return Duration.ZERO;
        }
        Duration rest = share.hold().release(grant, over);
        forgetThoseThatAreOver();
        return rest;
    }

    @Override
    public void keptLongEnough(GrantedLock grant) {
        Share share = shares.get(grant);
        if (share != null) {
            share.hold().keptLongEnough(grant);
            forgetThoseThatAreOver();
        }
    }

    @Override
    public void forceOut(GrantedLock grant) {
        Share share = shares.get(grant);
        if (share != null) {
            share.hold().forceOut(grant);
            forgetThoseThatAreOver();
        }
    }

    private void forgetThoseThatAreOver() {
        shares.values().removeIf(share -> share.hold().isOver());
    }

    @Override
    public Duration rest(Block block) {
        return of(block).stream()
                .map(hold -> hold.rest(block))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    @Override
    public void leaves(Block block) {
        of(block).forEach(hold -> hold.leaves(block));
    }

    @Override
    public void left(Block block, @Nullable LossReason over) {
        of(block).forEach(hold -> hold.left(block, over));
        forgetThoseThatAreOver();
    }

    /** The block stays for others: what was released need not be written. */
    void stays(Block block) {
        leaves(block);
        left(block, null);
    }

    /** Its owner goes on by another grant. */
    void passesOn(GrantedLock grant) {
        Share share = shares.remove(grant);
        if (share != null) {
            share.hold().passesOn();
        }
    }

    @Override
    public boolean needsNewNumber() {
        return false;
    }

    /** Data is written by a caller that has the lock for its process alone. */
    @Override
    public @Nullable LockData takeData() {
        return null;
    }

    @Override
    public @Nullable LockData keptData() {
        return null;
    }

    @Override
    public void begins() {}

    @Override
    public void lose(Block block, LossReason reason) {
        List<Hold> lost = of(block);
        shares.values().removeIf(share -> share.block() == block);
        lost.forEach(hold -> hold.lose(reason));
    }

    @Override
    public void lose(LossReason reason) {
        List<Share> lost = List.copyOf(shares.values());
        shares.clear();
        lost.forEach(share -> share.hold().lose(reason));
    }

    private List<Hold> of(Block block) {
        return shares.values().stream()
                .filter(share -> share.block() == block)
                .map(Share::hold)
                .toList();
    }
}
