package io.dynamolock;

import io.dynamolock.store.memory.InMemoryLockStore;
import java.time.Duration;

/** Registries of several processes on one table in memory, on a clock that stands still until a test moves it. */
public final class OneClock {

    private final ManualTime time = new ManualTime();
    private final InMemoryLockStore table = new InMemoryLockStore(time::now);

    public LockRegistry registry(String owner) {
        return DynamoLocks.builder(table)
                .owner(owner)
                .timeSource(time)
                .eventLoop(time.newLoop())
                .build();
    }

    public void advance(Duration duration) {
        time.advance(duration);
    }
}
