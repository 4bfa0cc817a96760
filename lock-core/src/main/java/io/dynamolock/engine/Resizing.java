package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.protocol.Step;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Gives a lock another number of permits, because somebody has asked for that. Lives on the event loop. */
final class Resizing {

    private Resizing() {}

    /** @param group those of this process who want the lock, if there are any: the answer is one for them, too */
    static void begin(
            EngineContext context, LockKey key, int permits, @Nullable KeyGroup group, CompletableFuture<Void> result) {
        long sentAt = group == null ? 0 : group.outlook.next();
        Step resize = new Step.Resize(permits);
        context.calls.send(
                StoreCall.of(Lane.LOCK, "resize", () -> context.store.take(key, resize, context.time.now()))
                        .whoeverIsPaused(),
                answer -> {
                    // It shows whether the lock's item was removed meanwhile.
                    if (group != null && group.isInUse()) {
                        group.seen(answer.item(), sentAt);
                    }
                    result.complete(null);
                },
                result::completeExceptionally);
    }
}
