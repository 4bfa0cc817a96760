package io.dynamolock.spring.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.StandIn;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.registry.DefaultLockRegistry;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.LockedProxy;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.tracer.common.SpanContext;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class LockObservationsTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @AutoClose
    private final LockRegistry locks =
            RegistryBuilder.of(new InMemoryLockStore()).build();

    private final ObservationRegistry observations = ObservationRegistry.create();
    private final List<Observation.Context> ended = new CopyOnWriteArrayList<>();
    private final List<Observation.Context> begun = new CopyOnWriteArrayList<>();

    /** As a tracer does, with names and parents. */
    private final class Spans implements ObservationHandler<Observation.Context> {

        @Override
        public void onStart(Observation.Context context) {
            begun.add(context);
        }

        @Override
        public void onStop(Observation.Context context) {
            ended.add(context);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context.getName().startsWith("dynamolock.");
        }
    }

    private void observe(boolean showKeys) {
        observations.observationConfig().observationHandler(new Spans());
        // One that listens to the others, so that a parent is real.
        observations.observationConfig().observationHandler(context -> true);
        ((DefaultLockRegistry) locks).observe(new LockObservations(observations, showKeys));
    }

    private static List<String> low(Observation.Context context) {
        return texts(context.getLowCardinalityKeyValues());
    }

    private static List<String> high(Observation.Context context) {
        return texts(context.getHighCardinalityKeyValues());
    }

    private static List<String> texts(KeyValues values) {
        return values.stream()
                .map(value -> value.getKey() + "=" + value.getValue())
                .toList();
    }

    private static String outcome(Observation.Context context) {
        return context.getLowCardinalityKeyValue("outcome").getValue();
    }

    private List<String> spans() {
        return ended.stream().map(Observation.Context::getName).toList();
    }

    private List<String> parents() {
        return begun.stream()
                .map(context -> context.getParentObservation() == null
                        ? "none"
                        : context.getParentObservation().getContextView().getName())
                .toList();
    }

    @Test
    void aLockShowsAsAWaitAndAHoldBelowWhatItsCallerDoes() {
        observe(false);
        AtomicReference<String> token = new AtomicReference<>();
        Observation.createNotStarted("request", observations).observe(() -> {
            LockHandle handle = locks.acquire(LockRequest.of("secret")
                    .namespace("billing")
                    .name("invoices")
                    .waitTime(LONG));
            assertThat(spans()).containsExactly("dynamolock.wait");
            token.set("fencing.token=" + handle.fencingToken());
            handle.close();
        });
        assertThat(spans()).containsExactly("dynamolock.wait", "dynamolock.hold");
        assertThat(parents()).containsExactly("request", "request");
        assertThat(low(ended.get(0)))
                .containsExactlyInAnyOrder("name=invoices", "namespace=billing", "mode=exclusive", "outcome=acquired");
        assertThat(low(ended.get(1)))
                .containsExactlyInAnyOrder("name=invoices", "namespace=billing", "mode=exclusive", "outcome=released");
        assertThat(high(ended.get(0))).containsExactlyInAnyOrder("queue.position=0", token.get());
        assertThat(high(ended.get(1))).containsExactly(token.get());
    }

    @Test
    void aWaitEndsWithItsPlaceInLine() throws Exception {
        observe(false);
        LockHandle first = locks.acquire("k", LONG);
        CompletableFuture<LockHandle> second = locks.acquireAsync(LockRequest.of("k"));
        await().until(() -> locks.admin().waiting() == 1);
        CompletableFuture<LockHandle> third = locks.acquireAsync(LockRequest.of("k"));
        await().until(() -> locks.admin().waiting() == 2);
        first.close();
        second.get(30, TimeUnit.SECONDS).close();
        third.get(30, TimeUnit.SECONDS).close();
        assertThat(ended)
                .filteredOn(context -> context.getName().equals("dynamolock.wait"))
                .extracting(context -> high(context).get(1))
                .containsExactly("queue.position=0", "queue.position=1", "queue.position=2");
    }

    @Test
    void theKeyIsShownOnlyIfItIsToBe() {
        observe(true);
        locks.acquire("customer:42", LONG).close();
        assertThat(ended).hasSize(2).allSatisfy(context -> {
            assertThat(high(context)).contains("lock.key=customer:42");
            assertThat(low(context).toString()).doesNotContain("customer");
        });
    }

    @Test
    void aWaitInVainHasNoHold() {
        observe(false);
        try (LockHandle other = locks.acquire("k", LONG)) {
            assertThatThrownBy(() -> locks.acquire("k", Duration.ofMillis(20)))
                    .isInstanceOf(LockTimeoutException.class);
            assertThat(other.isValid()).isTrue();
        }
        assertThat(ended).extracting(LockObservationsTest::outcome).containsExactly("acquired", "timeout", "released");
    }

    @Test
    void theWaitOfAnEvictedCallerEndsAsEvicted() {
        observe(false);
        try (LockHandle other = locks.acquire("k", LONG)) {
            CompletableFuture<LockHandle> evicted = locks.acquireAsync(LockRequest.of("k"));
            await().until(() -> !locks.admin().inspect("k").queue().isEmpty());

            locks.admin()
                    .evict(
                            "k",
                            LockRequest.DEFAULT_NAMESPACE,
                            locks.admin().inspect("k").queue().get(0).id());

            assertThat(evicted).failsWithin(LONG);
            await().untilAsserted(() ->
                    assertThat(ended).extracting(LockObservationsTest::outcome).contains("evicted"));
            assertThat(other.isValid()).isTrue();
        }
    }

    @Test
    void aLossEndsTheHold() {
        observe(false);
        LockHandle kept = locks.acquire(LockRequest.of("k").maxHold(Duration.ofMillis(20)));
        await().untilAsserted(() ->
                assertThat(ended).extracting(LockObservationsTest::outcome).containsExactly("acquired", "lost"));
        // One that the garbage collector takes before is released, not lost.
        Reference.reachabilityFence(kept);
    }

    static class Work {

        @DynamoLocked(key = "'k'")
        public String blocking() {
            return "done";
        }

        @DynamoLocked(key = "'k'")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture("done");
        }

        @DynamoLocked(key = "'k'")
        public Mono<String> mono() {
            return Mono.just("done");
        }
    }

    @Test
    void methodsOfEveryKindAreObservedBelowTheirCaller() throws Exception {
        observe(false);
        Work work = LockedProxy.of(new Work(), locks);
        Observation request = Observation.start("request", observations);
        request.scoped(() -> {
            work.blocking();
        });
        CompletableFuture<String> future = request.scoped(work::future);
        future.get(30, TimeUnit.SECONDS);
        // Without what Reactor can do by itself.
        work.mono()
                .contextWrite(context -> context.put(ObservationThreadLocalAccessor.KEY, request))
                .block(LONG);
        // A hold ends when its release is answered, which no caller waits for.
        await().untilAsserted(() -> assertThat(spans())
                .containsExactlyInAnyOrder(
                        "dynamolock.wait",
                        "dynamolock.hold",
                        "dynamolock.wait",
                        "dynamolock.hold",
                        "dynamolock.wait",
                        "dynamolock.hold"));
        assertThat(parents()).containsOnly("request").hasSize(6);
        assertThat(observations.getCurrentObservation()).isNull();
    }

    @Test
    void withoutAHandlerNothingIsObserved() {
        LockObservations silent = new LockObservations(ObservationRegistry.NOOP, false);
        assertThat(silent.requested(LockRequest.of("k"))).isNull();
        assertThat(new LockObservations(observations, false).requested(LockRequest.of("k")))
                .isNull();
    }

    @Test
    void aHandlerThatThrowsKeepsNoLock() throws Exception {
        observations.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public void onStart(Observation.Context context) {
                throw new StackOverflowError("start");
            }

            @Override
            public void onStop(Observation.Context context) {
                throw new AssertionError("stop");
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        ((DefaultLockRegistry) locks).observe(new LockObservations(observations, false));
        Work work = LockedProxy.of(new Work(), locks);
        assertThat(work.blocking()).isEqualTo("done");
        assertThat(work.future().get(30, TimeUnit.SECONDS)).isEqualTo("done");
        assertThat(work.mono().block(LONG)).isEqualTo("done");
        await().until(() -> locks.admin().held().isEmpty() && locks.admin().waiting() == 0);
    }

    @Test
    void theTimersOfObservationsCarryTheTraceAsAnExemplar() {
        SpanContext oneSpan = StandIn.of(SpanContext.class, (method, arguments) -> switch (method) {
            case "getCurrentTraceId" -> "0af7651916cd43dd8448eb211c80319c";
            case "getCurrentSpanId" -> "b7ad6b7169203331";
            case "isCurrentSpanSampled" -> true;
            default -> null;
        });
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(
                PrometheusConfig.DEFAULT,
                new PrometheusRegistry(),
                io.micrometer.core.instrument.Clock.SYSTEM,
                oneSpan);
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        ((DefaultLockRegistry) locks).observe(new LockObservations(observations, false));
        locks.acquire("k", LONG).close();
        String scrape = meters.scrape("application/openmetrics-text; version=1.0.0; charset=utf-8");
        assertThat(scrape.lines()
                        .filter(line -> line.matches("dynamolock_(wait|hold)_seconds_count.*"))
                        .toList())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("trace_id=\"0af7651916cd43dd8448eb211c80319c\""));
    }
}
