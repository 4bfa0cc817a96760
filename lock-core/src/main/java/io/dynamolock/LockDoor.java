package io.dynamolock;

import io.dynamolock.engine.AcquireSpec;
import io.dynamolock.engine.Acquisition;
import io.dynamolock.engine.HeldLock;
import io.dynamolock.engine.LockEngine;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.QueueView;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What the registry needs of the engine, so that tests can stand in for it. */
interface LockDoor {

    Acquisition acquire(AcquireSpec spec);

    CompletableFuture<QueueView> look(LockKey key, int limit);

    List<HeldLock> held();

    int waiting();

    CompletableFuture<Void> shutdown();

    static LockDoor to(LockEngine engine) {
        return new LockDoor() {
            @Override
            public Acquisition acquire(AcquireSpec spec) {
                return engine.acquire(spec);
            }

            @Override
            public CompletableFuture<QueueView> look(LockKey key, int limit) {
                return engine.look(key, limit);
            }

            @Override
            public List<HeldLock> held() {
                return engine.held();
            }

            @Override
            public int waiting() {
                return engine.waiting();
            }

            @Override
            public CompletableFuture<Void> shutdown() {
                return engine.shutdown();
            }
        };
    }
}
