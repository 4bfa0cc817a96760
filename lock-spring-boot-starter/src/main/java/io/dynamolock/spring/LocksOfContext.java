package io.dynamolock.spring;

import io.dynamolock.LockRegistry;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** What a subscriber holds through {@link DynamoLocked}, as its Reactor context and its reactive transaction know it. */
final class LocksOfContext {

    private LocksOfContext() {}

    static @Nullable UsedLock find(LockId id, ContextView context) {
        UsedLock held = context.getOrDefault(id, null);
        return held == null && Libraries.TRANSACTIONS ? TransactionOfContext.find(id, context) : held;
    }

    static Context with(HeldLocks locks, LockRegistry registry, Context context) {
        Context[] result = {context.put(CurrentLock.class, locks.current())};
        locks.forEach((lock, held) -> result[0] = result[0].put(lock.id(registry), held));
        return result[0];
    }
}
