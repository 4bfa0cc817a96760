package io.dynamolock.spring.actuate;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockRegistry;
import io.dynamolock.StandIn;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A registry whose table can be out of reach. */
final class FlakyRegistry {

    final AtomicInteger reads = new AtomicInteger();
    final AtomicInteger tries = new AtomicInteger();
    volatile Runnable atRead = () -> {};
    volatile List<LockAdmin.StoreTrouble> troubles = List.of();
    volatile Thread reader;
    final LockRegistry real;
    final LockRegistry locks;

    FlakyRegistry() {
        this(InstantSource.system());
    }

    FlakyRegistry(InstantSource clockOfStore) {
        real = RegistryBuilder.of(new InMemoryLockStore(clockOfStore)).build();
        LockAdmin admin = StandIn.of(LockAdmin.class, real.admin(), (method, arguments) -> {
            if (method.equals("inspect")) {
                reads.incrementAndGet();
                reader = Thread.currentThread();
                atRead.run();
            }
            return method.equals("storeTroubles") ? troubles : null;
        });
        locks = StandIn.of(LockRegistry.class, real, (method, arguments) -> {
            if (method.equals("tryAcquire")) {
                tries.incrementAndGet();
            }
            return method.equals("admin") ? admin : null;
        });
    }

    void breakDown() {
        atRead = () -> {
            throw new IllegalStateException("nothing listens there");
        };
    }

    void mend() {
        atRead = () -> {};
    }
}
