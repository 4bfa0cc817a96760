package io.dynamolock;

import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.testing.ManualTime;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Registries of several processes on one table in memory, on a clock that stands still until a test moves it. */
public final class OneClock {

    private final ManualTime time = new ManualTime();
    private final InMemoryLockStore table = new InMemoryLockStore(time::now);

    public LockRegistry registry(String owner) {
        return registry(owner, store -> store);
    }

    /** @param wrapping what stands between the process and the table */
    public LockRegistry registry(String owner, UnaryOperator<LockStore> wrapping) {
        return RegistryBuilder.of(wrapping.apply(table)).owner(owner).on(time).build();
    }

    public void advance(Duration duration) {
        time.advance(duration);
    }
}
