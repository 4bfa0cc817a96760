package io.dynamolock.spring.internal.calls;

import static io.dynamolock.spring.aspect.Bodies.failing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.LockedProxy;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.integration.Slf4jThreadLocalAccessor;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

/** What the caller's thread carries is there under the lock, which is another thread. */
class ContextPropagationTest {

    private static final ObservationRegistry OBSERVATIONS = ObservationRegistry.create();

    static {
        // Without a handler nothing is observed.
        OBSERVATIONS.observationConfig().observationHandler(context -> true);
    }

    private final LockRegistry locks =
            RegistryBuilder.of(new InMemoryLockStore()).build();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final Work work = LockedProxy.of(new Work(seen), locks);
    private final Observation observation = Observation.start("request", OBSERVATIONS);
    private final Thread caller = Thread.currentThread();

    @BeforeEach
    void begin() {
        ContextRegistry.getInstance().registerThreadLocalAccessor(new Slf4jThreadLocalAccessor());
        Hooks.enableAutomaticContextPropagation();
    }

    @AfterEach
    void end() {
        Hooks.disableAutomaticContextPropagation();
        ContextRegistry.getInstance().removeThreadLocalAccessor(Slf4jThreadLocalAccessor.KEY);
        MDC.clear();
        locks.close();
    }

    static class Work {

        private final List<String> seen;

        Work(List<String> seen) {
            this.seen = seen;
        }

        @DynamoLocked(key = "'k'")
        public Mono<String> mono() {
            seen.add("method: " + carried());
            return Mono.fromSupplier(() -> "work: " + carried());
        }

        @DynamoLocked(key = "'k'")
        public CompletableFuture<String> future() {
            seen.add("method: " + carried());
            return CompletableFuture.completedFuture("");
        }
    }

    static class Impatient {

        @DynamoLocked(key = "'k'", waitTime = "0")
        public CompletableFuture<String> future() {
            throw new AssertionError();
        }
    }

    private static String carried() {
        Observation current = OBSERVATIONS.getCurrentObservation();
        return MDC.get("request") + " "
                + (current == null ? "none" : current.getContext().getName());
    }

    @Test
    void theSubscribersContextReachesTheMethodItsWorkAndTheSubscriber() {
        MDC.put("request", "42");
        observation.scoped(() -> {
            work.mono()
                    .doOnNext(seen::add)
                    .doOnNext(any -> seen.add("subscriber: " + carried()))
                    .doOnNext(any -> assertThat(Thread.currentThread()).isNotSameAs(caller))
                    .block();
        });
        assertThat(seen).containsExactly("method: 42 request", "work: 42 request", "subscriber: 42 request");
    }

    @Test
    void theCallersContextReachesAFuturesMethod() throws Exception {
        MDC.put("request", "42");
        observation.scopedChecked(() -> {
            work.future().get(30, TimeUnit.SECONDS);
        });
        assertThat(seen).containsExactly("method: 42 request");
    }

    @Test
    void aContextThatCannotBeRestoredFailsTheFutureAndKeepsNoLock() {
        failsToCarry(() -> "value", work::future);
        failsToCarry(failing("cannot be read"), work::future);
        Awaitility.await()
                .until(() -> locks.admin().held().isEmpty() && locks.admin().waiting() == 0);
    }

    @Test
    void aContextThatCannotBeRestoredFailsTheFutureAlsoAfterATimeout() {
        Impatient impatient = LockedProxy.of(new Impatient(), locks);
        try (LockHandle other = locks.acquire("k", Duration.ofSeconds(30))) {
            failsToCarry(() -> "value", impatient::future);
            assertThat(other.isValid()).isTrue();
        }
    }

    private void failsToCarry(Supplier<String> reading, Supplier<CompletableFuture<String>> call) {
        ContextRegistry.getInstance()
                .registerThreadLocalAccessor(
                        "broken",
                        reading,
                        value -> {
                            throw new IllegalStateException("cannot be set");
                        },
                        () -> {});
        try {
            assertThatThrownBy(() -> call.get().get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("cannot be");
        } finally {
            ContextRegistry.getInstance().removeThreadLocalAccessor("broken");
        }
        assertThat(seen).isEmpty();
    }
}
