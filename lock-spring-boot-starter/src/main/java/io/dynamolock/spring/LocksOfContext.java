package io.dynamolock.spring;

import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** What a subscriber holds through {@link DynamoLocked}, as its Reactor context and its reactive transaction know it. */
final class LocksOfContext {

    private LocksOfContext() {}

    static @Nullable UsedLock find(LockedCall call, ContextView context) {
        LockId id = LockId.of(call);
        UsedLock held = context.getOrDefault(id, null);
        return held == null && Libraries.TRANSACTIONS ? TransactionOfContext.find(id, context) : held;
    }

    static Context with(UsedLock lock, LockedCall call, Context context) {
        return context.put(LockId.of(call), lock);
    }
}
