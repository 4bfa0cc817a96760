package io.dynamolock;

import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.store.memory.InMemoryLockStore;

/** A look into builders, which only this package can take. */
public final class BuilderDefaults {

    private BuilderDefaults() {}

    public static EngineSettings untouched() {
        return DynamoLocks.builder(new InMemoryLockStore()).settings();
    }

    public static EngineSettings of(DynamoLocksBuilder builder) {
        return builder.settings();
    }
}
