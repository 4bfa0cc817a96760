package io.dynamolock.internal.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.threads.ShutdownHooks;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The hook of a registry, with a list in place of the virtual machine's hooks. */
class CloseAtShutdownTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final InMemoryLockStore store = new InMemoryLockStore();

    /** The hooks that are to run at shutdown. */
    private final List<Runnable> hooks = new CopyOnWriteArrayList<>();

    private final RegistryBuilder builder = RegistryBuilder.of(store).on(new RegistrySurroundings() {
        @Override
        protected ShutdownHooks shutdownHooks() {
            return task -> {
                hooks.add(task);
                return () -> hooks.remove(task);
            };
        }
    });

    @Test
    void theShutdownFreesTheLocksAtOnce() {
        LockRegistry closing = builder.closeAtShutdown().build();
        LockHandle held = closing.acquire("k", MINUTE);

        assertThat(hooks).hasSize(1);
        hooks.get(0).run();

        assertThat(held.isValid()).isFalse();
        assertThat(store.sessionIds()).isEmpty();
        assertThatExceptionOfType(LockClosedException.class).isThrownBy(() -> closing.acquire("k", MINUTE));
        try (LockRegistry other = RegistryBuilder.of(store).build()) {
            assertThat(other.tryAcquire("k")).isPresent();
        }
    }

    @Test
    void theHookIsGoneOnceTheRegistryIsClosed() {
        LockRegistry registry = builder.closeAtShutdown().build();

        registry.close();
        assertThat(hooks).isEmpty();
        registry.close();
    }

    @Test
    void eachRegistryOfABuilderHasAHookOfItsOwn() {
        builder.closeAtShutdown();
        LockRegistry first = builder.build();
        LockRegistry second = builder.build();
        assertThat(hooks).hasSize(2);

        first.close();
        hooks.get(0).run();

        assertThatExceptionOfType(LockClosedException.class).isThrownBy(() -> second.tryAcquire("k"));
    }

    @Test
    void aRegistryThatWasNotToldSoHasNoHook() {
        try (LockRegistry registry = builder.build()) {
            assertThat(registry.tryAcquire("k")).isPresent();
            assertThat(hooks).isEmpty();
        }
    }

    @Test
    void theVirtualMachineForgetsAHookThatIsTakenOut() {
        WeakReference<Runnable> task = taskThatWasAddedAndTakenOut();

        Awaitility.await().until(() -> {
            System.gc();
            return task.get() == null;
        });
    }

    private static WeakReference<Runnable> taskThatWasAddedAndTakenOut() {
        AtomicInteger runs = new AtomicInteger();
        Runnable task = runs::incrementAndGet;
        Runnable takeOut = ShutdownHooks.ofThisMachine().add(task);
        takeOut.run();
        takeOut.run();
        return new WeakReference<>(task);
    }
}
