package io.dynamolock.spring.actuate;

import io.dynamolock.LockRegistry;
import io.dynamolock.internal.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;

/** A registry whose table can be out of reach. */
final class FlakyRegistry {

    final AtomicInteger reads = new AtomicInteger();
    volatile Runnable atRead = () -> {};
    volatile Thread reader;
    final LockRegistry real;
    final LockRegistry locks;

    FlakyRegistry() {
        this(InstantSource.system());
    }

    FlakyRegistry(InstantSource clockOfStore) {
        real = RegistryBuilder.of(new InMemoryLockStore(clockOfStore)).build();
        locks = (LockRegistry) Proxy.newProxyInstance(
                LockRegistry.class.getClassLoader(),
                new Class<?>[] {LockRegistry.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("inspect")) {
                        reads.incrementAndGet();
                        reader = Thread.currentThread();
                        atRead.run();
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
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
