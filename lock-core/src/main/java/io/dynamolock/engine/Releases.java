package io.dynamolock.engine;

import io.dynamolock.internal.engine.LossReason;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Told on the event loop what the owner of a grant does with it. */
@FunctionalInterface
interface Releases {

    /** @param lossBefore why the lock was lost before, if it was */
    void released(GrantedLock grant, @Nullable LossReason lossBefore);

    /** The owner has changed for how long it may hold the lock. */
    default void limited(GrantedLock grant) {}

    /** The owner wants to go on as a reader: completed with the grant by which it does, empty if it cannot. */
    default void downgrade(GrantedLock grant, CompletableFuture<Optional<Grant>> result) {
        result.complete(Optional.empty());
    }
}
