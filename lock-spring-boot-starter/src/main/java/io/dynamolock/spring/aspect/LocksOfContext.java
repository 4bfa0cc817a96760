package io.dynamolock.spring.aspect;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.internal.EnteredLock;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** What a subscriber holds through {@link DynamoLocked}, as its Reactor context and its reactive transaction know it. */
final class LocksOfContext {

    private LocksOfContext() {}

    /** As {@link LocksOfThread#enter}. */
    static @Nullable UsedLock enter(WantedLock wanted, LockRegistry registry, ContextView context) {
        LockId id = wanted.id(registry);
        UsedLock held = context.getOrDefault(id, null);
        UsedLock found = held == null && Libraries.TRANSACTIONS ? TransactionOfContext.find(id, context) : held;
        return found != null && found.enter(wanted) ? found : null;
    }

    static Context with(HeldLocks locks, LockRegistry registry, Context context) {
        Context[] result = {context.put(EnteredLock.CONTEXT_KEY, locks.current())};
        locks.forEach((lock, held) -> result[0] = result[0].put(lock.id(registry), held));
        return result[0];
    }
}
