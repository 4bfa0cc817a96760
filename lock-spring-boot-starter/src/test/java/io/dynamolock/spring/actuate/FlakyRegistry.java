package io.dynamolock.spring.actuate;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
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
        LockAdmin admin = proxy(LockAdmin.class, (proxy, method, arguments) -> {
            if (method.getName().equals("inspect")) {
                reads.incrementAndGet();
                reader = Thread.currentThread();
                atRead.run();
            }
            return answer(real.admin(), method, arguments);
        });
        locks = proxy(
                LockRegistry.class,
                (proxy, method, arguments) ->
                        method.getName().equals("admin") ? admin : answer(real, method, arguments));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object answer(Object real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
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
