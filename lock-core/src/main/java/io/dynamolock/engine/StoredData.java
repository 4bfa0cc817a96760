package io.dynamolock.engine;

import io.dynamolock.data.LockData;
import java.util.concurrent.CompletableFuture;

/** The user's data in a lock's item; used on the event loop. */
interface StoredData {

    /** As the caller that is granted the lock now finds it. */
    LockData known();

    /** @param result as of {@link Grant#putData} */
    void put(GrantedLock grant, LockData data, CompletableFuture<Boolean> result);
}
