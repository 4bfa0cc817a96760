package io.dynamolock.spring.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.LockLostEvent;
import io.dynamolock.spring.annotation.LockSessionStartedEvent;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;

/** What an application hears of losses without a listener of the registry's. */
class LockEventsTest {

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withUserConfiguration(Application.class);

    @Configuration(proxyBeanMethods = false)
    @Import(LockRegistryConfiguration.class)
    static class Application {

        @Bean
        LockRegistry locks() {
            return RegistryBuilder.of(new InMemoryLockStore()).build();
        }
    }

    static class Alarms {

        final List<Object> heard = new CopyOnWriteArrayList<>();

        @EventListener
        void started(LockSessionStartedEvent event) {
            heard.add(event);
        }

        @EventListener
        void lost(LockLostEvent event) {
            heard.add(event);
        }
    }

    static class Broken {

        @EventListener
        void lost(LockLostEvent event) {
            throw new StackOverflowError(event.name());
        }
    }

    static class Stuck {

        final CountDownLatch free = new CountDownLatch(1);

        @EventListener
        void started(LockSessionStartedEvent event) throws InterruptedException {
            free.await();
        }
    }

    private static void lose(LockRegistry locks, String name) {
        LockHandle kept = locks.acquire(LockRequest.of("secret").name(name).maxHold(Duration.ofMillis(20)));
        await().until(() -> locks.admin().held().isEmpty());
        // One that the garbage collector takes before is released, not lost.
        Reference.reachabilityFence(kept);
    }

    @Test
    void aLossIsPublishedAfterTheBeginningOfItsSession() {
        runner.withBean(Alarms.class).run(context -> {
            lose(context.getBean(LockRegistry.class), "orders");
            List<Object> heard = context.getBean(Alarms.class).heard;
            await().until(() -> heard.size() == 2);
            assertThat(heard.get(0)).isInstanceOf(LockSessionStartedEvent.class);
            assertThat(heard.get(1)).isInstanceOfSatisfying(LockLostEvent.class, lost -> {
                assertThat(lost.name()).isEqualTo("orders");
                assertThat(lost.key()).isEqualTo("secret");
                assertThat(lost.reason()).isEqualTo("max-hold");
                assertThat(lost).asString().doesNotContain("secret");
            });
        });
    }

    @Test
    void aListenerThatThrowsDoesNoHarm() {
        runner.withBean(Broken.class).withBean(Alarms.class).run(context -> {
            LockRegistry locks = context.getBean(LockRegistry.class);
            lose(locks, "first");
            lose(locks, "second");
            // Spring may have called the broken one first, which keeps the event from the other.
            await().untilAsserted(() ->
                    assertThat(context.getBean(Alarms.class).heard).isNotEmpty());
            locks.acquire("k", Duration.ofSeconds(30)).close();
        });
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aListenerThatFailsIsLoggedWithoutTheKeyOfTheLock(CapturedOutput output) {
        runner.withBean(Broken.class).run(context -> {
            lose(context.getBean(LockRegistry.class), "orders");
            await().untilAsserted(() -> assertThat(output).contains("A listener for a LockLostEvent failed"));
            assertThat(output).doesNotContain("secret");
        });
    }

    @Test
    void aListenerThatBlocksKeepsNoLockAndNoOtherListenerOfTheRegistry() {
        List<String> names = new CopyOnWriteArrayList<>();
        runner.withBean(Stuck.class)
                .withBean(io.dynamolock.LockListener.class, () -> event -> {
                    if (event instanceof io.dynamolock.LockEvent.Lost lost) {
                        names.add(lost.name());
                    }
                })
                .run(context -> {
                    Stuck stuck = context.getBean(Stuck.class);
                    try {
                        lose(context.getBean(LockRegistry.class), "orders");
                        await().untilAsserted(() -> assertThat(names).containsExactly("orders"));
                        assertThat(stuck.free.getCount()).isEqualTo(1);
                    } finally {
                        stuck.free.countDown();
                    }
                });
    }
}
