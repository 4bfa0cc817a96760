package io.dynamolock;

import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.handles.RequestDefaults;
import io.dynamolock.internal.store.memory.InMemoryLockStore;

/** A look into builders, which only this package can take. */
public final class BuilderDefaults {

    private BuilderDefaults() {}

    public static EngineSettings untouched() {
        return RegistryBuilder.of(new InMemoryLockStore()).settings();
    }

    public static RequestDefaults ofRequests(LockRegistryBuilder builder) {
        return ((RegistryBuilder) builder).requestDefaults();
    }

    public static EngineSettings of(LockRegistryBuilder builder) {
        return ((RegistryBuilder) builder).settings();
    }
}
