package io.dynamolock.engine;

import io.dynamolock.internal.engine.Kind;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Mode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a caller that does not wait, and stands in the queue behind others, may have the lock all the same: because they
 * are dead, or are not known to live. Lives on the event loop.
 */
final class Doubts {

    private final KeyParts parts;
    private final Exit exit;

    Doubts(KeyParts parts, Exit exit) {
        this.parts = parts;
        this.exit = exit;
    }

    /** Whether there will be an event, soon, after which it is known or the lock is the block's. */
    boolean mayHold(@Nullable Block block) {
        if (block != null && block.holds()) {
            // Its grant waits for a new number.
            return true;
        }
        LockItem item = parts.outlook.item();
        int place = block == null ? -1 : item.indexOf(block.id());
        if (place <= 0) {
            return false;
        }
        Entry first = item.queue().get(0);
        if (!parts.engine.keeper().isOwn(first.session())) {
            parts.engine.heldLong().seen(parts.key, first);
        }
        List<Entry> living = item.queue().subList(0, place).stream()
                .filter(entry -> !exit.isAbandoned(entry))
                .toList();
        List<Entry> cleared = new ArrayList<>(living);
        cleared.add(item.queue().get(place));
        if (new LockItem(item.tail(), cleared, item.permits()).holds(living.size())) {
            // The lookout sees to it that the others are cleared away.
            return true;
        }
        boolean willBeNews = false;
        for (Entry entry : living) {
            willBeNews |= isInTheWay(entry) && parts.engine.peers().ask(entry.session());
        }
        return willBeNews;
    }

    private boolean isInTheWay(Entry entry) {
        boolean isCompany = parts.kind == Kind.READ && entry.mode().equals(Mode.SHARED);
        return !isCompany
                && !parts.engine.keeper().isOwn(entry.session())
                && !parts.engine.peers().isAlive(entry.session());
    }
}
