package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.internal.CurrentHandle;
import io.dynamolock.spring.internal.Libraries;
import io.dynamolock.spring.internal.declarations.WantedLock;
import io.dynamolock.spring.internal.holds.HeldLock;
import io.dynamolock.spring.internal.holds.LockId;
import io.dynamolock.spring.internal.transactions.ReactiveTransaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The locks that a subscriber holds through {@link DynamoLocked}: found in the Reactor context and in the reactive
 * transaction of the subscriber.
 */
final class HeldByContext {

    private HeldByContext() {}

    /**
     * Adds one user to the lock if the subscriber holds it; else returns null.
     *
     * @throws IllegalStateException if the subscriber shares the lock with others and the method wants it exclusively
     */
    static @Nullable HeldLock enter(WantedLock wanted, LockRegistry registry, ContextView context) {
        LockId id = LockId.of(registry, wanted.request());
        HeldLock held = context.getOrDefault(id, null);
        if (held == null && Libraries.TRANSACTIONS) {
            held = ReactiveTransaction.find(id, context);
        }
        return held != null && held.enter(wanted) ? held : null;
    }

    /**
     * As {@link LocksOfCall#stayForTransaction}, for the reactive transaction of the subscriber. Does nothing if there
     * is none.
     */
    static void stayForTransaction(
            LocksOfCall locks, List<HeldLock> taken, LockRegistry registry, ContextView context) {
        locks.forEach((lock, held) -> ReactiveTransaction.holdUntilEnd(
                LockId.of(registry, lock.request()), held, lock.lossMatters(), taken.contains(held), context));
    }

    /** The context for the stream of the method, through which inner calls find the locks of this call. */
    static Context with(LocksOfCall locks, LockRegistry registry, Context context) {
        Map<Object, Object> entries = new HashMap<>();
        entries.put(CurrentHandle.CONTEXT_KEY, locks.current());
        locks.forEach((lock, held) -> entries.put(LockId.of(registry, lock.request()), held));
        return context.putAllMap(entries);
    }
}
