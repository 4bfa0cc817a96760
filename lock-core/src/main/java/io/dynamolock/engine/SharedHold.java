package io.dynamolock.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.LossReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Many grants at once: each is a {@link Hold} of its own, by the block that its caller stood in. A block never gets a new
 * number because one of its callers was forced out: none of them can have a fence, by which it could still write. Lives on
 * the event loop.
 */
final class SharedHold implements Holds {

    /** What a block is held by. Each event is about one caller of it, however many there are. */
    private static final class Shares {

        private final Map<GrantedLock, Hold> out = new LinkedHashMap<>();
        private final List<Hold> ending = new ArrayList<>(1);
    }

    private final Map<GrantedLock, Block> blocks = new HashMap<>();
    private final Map<Block, Shares> shares = new LinkedHashMap<>();

    @Override
    public boolean isOut(Block block) {
        Shares its = shares.get(block);
        return its != null && !its.out.isEmpty();
    }

    @Override
    public @Nullable GrantedLock current() {
        return shares.values().stream()
                .flatMap(its -> its.out.keySet().stream())
                .findFirst()
                .orElse(null);
    }

    @Override
    public void grant(Block block, GrantedLock grant, Function<Duration, EventLoop.Timer> forcingOut) {
        Hold hold = new Hold();
        blocks.put(grant, block);
        shares.computeIfAbsent(block, absent -> new Shares()).out.put(grant, hold);
        hold.grant(block, grant, forcingOut);
    }

    @Override
    public Duration release(GrantedLock grant, @Nullable LossReason over) {
        if (!blocks.containsKey(grant)) {
            grant.releaseCompleted(over);
            return Duration.ZERO;
        }
        Duration[] rest = {Duration.ZERO};
        change(grant, hold -> rest[0] = hold.release(grant, over));
        return rest[0];
    }

    @Override
    public void keptLongEnough(GrantedLock grant) {
        change(grant, hold -> hold.keptLongEnough(grant));
    }

    @Override
    public void forceOut(GrantedLock grant) {
        change(grant, hold -> hold.forceOut(grant));
    }

    @Override
    public boolean evict(Block block, int reach) {
        Shares its = shares.get(block);
        if (its == null || its.out.isEmpty()) {
            return false;
        }
        List.copyOf(its.out.keySet()).forEach(grant -> change(grant, hold -> hold.evict(block, reach)));
        return true;
    }

    /** No two callers have their turns by one block: whoever is put out leaves nobody behind it. */
    @Override
    public void passesOver() {}

    /** Its owner goes on by another grant. */
    void passesOn(GrantedLock grant) {
        change(grant, hold -> {
            hold.passesOn();
            remove(grant);
        });
    }

    private void change(GrantedLock grant, Consumer<Hold> how) {
        Block block = blocks.get(grant);
        Shares its = block == null ? null : shares.get(block);
        Hold hold = its == null ? null : its.out.get(grant);
        if (its == null || hold == null) {
            return;
        }
        how.accept(hold);
        if (hold.current() == null) {
            if (!hold.isOver()) {
                its.ending.add(hold);
            }
            remove(grant);
        }
    }

    private void remove(GrantedLock grant) {
        Block block = blocks.remove(grant);
        Shares its = block == null ? null : shares.get(block);
        if (block != null && its != null) {
            its.out.remove(grant);
            if (its.out.isEmpty() && its.ending.isEmpty()) {
                shares.remove(block);
            }
        }
    }

    @Override
    public Duration rest(Block block) {
        Shares its = shares.get(block);
        return its == null
                ? Duration.ZERO
                : its.out.values().stream()
                        .map(hold -> hold.rest(block))
                        .max(Duration::compareTo)
                        .orElse(Duration.ZERO);
    }

    @Override
    public void leaves(Block block) {
        Shares its = shares.get(block);
        if (its != null) {
            its.ending.forEach(hold -> hold.leaves(block));
        }
    }

    @Override
    public void left(Block block, @Nullable LossReason over) {
        Shares its = shares.get(block);
        if (its != null) {
            its.ending.forEach(hold -> hold.left(block, over));
            its.ending.removeIf(Hold::isOver);
            if (its.out.isEmpty() && its.ending.isEmpty()) {
                shares.remove(block);
            }
        }
    }

    /** The block stays for others: what was released need not be written. */
    void stays(Block block) {
        leaves(block);
        left(block, null);
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
        Shares lost = shares.remove(block);
        if (lost != null) {
            blocks.keySet().removeAll(lost.out.keySet());
            lost.ending.forEach(hold -> hold.lose(reason));
            lost.out.values().forEach(hold -> hold.lose(reason));
        }
    }

    @Override
    public void lose(LossReason reason) {
        List.copyOf(shares.keySet()).forEach(block -> lose(block, reason));
    }
}
