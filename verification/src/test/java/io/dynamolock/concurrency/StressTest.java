package io.dynamolock.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquisitionStress;
import io.dynamolock.internal.engine.EngineStress;
import io.dynamolock.internal.engine.GrantStress;
import io.dynamolock.internal.engine.LoopStress;
import io.dynamolock.internal.engine.ValidityStress;
import io.dynamolock.internal.handles.HandleStress;
import io.dynamolock.internal.registry.FutureStress;
import io.dynamolock.internal.registry.InterruptStress;
import io.dynamolock.internal.registry.RegistryStress;
import io.dynamolock.internal.threads.ListenerStress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs every stress test for a moment; {@code -Dstress.time=PT10M} spreads ten minutes over them. */
class StressTest {

    private static final Duration TIME = Duration.parse(System.getProperty("stress.time", "PT1M"));

    @TestFactory
    Stream<DynamicTest> nothingForbiddenHappens() {
        Map<String, StressCase> cases = cases();
        Duration each = TIME.dividedBy(cases.size());
        return cases.entrySet().stream()
                .map(named -> DynamicTest.dynamicTest(
                        named.getKey(), () -> assertNothingForbidden(named.getKey(), named.getValue(), each)));
    }

    private static void assertNothingForbidden(String name, StressCase what, Duration time) throws Exception {
        StressRun.Result result = StressRun.of(what, time);

        String seen = String.format("%s: %,d samples%n%s%n", name, result.samples(), result.table());
        assertThat(result.forbidden()).as(seen).isEmpty();
        assertThat(result.samples()).as("samples").isPositive();
    }

    private static Map<String, StressCase> cases() {
        Map<String, StressCase> cases = new LinkedHashMap<>();
        add(cases, "acquisition", AcquisitionStress.cases());
        add(cases, "engine", EngineStress.cases());
        add(cases, "future", FutureStress.cases());
        add(cases, "grant", GrantStress.cases());
        add(cases, "handle", HandleStress.cases());
        add(cases, "interrupt", InterruptStress.cases());
        add(cases, "listener", ListenerStress.cases());
        add(cases, "loop", LoopStress.cases());
        add(cases, "registry", RegistryStress.cases());
        add(cases, "validity", ValidityStress.cases());
        return cases;
    }

    private static void add(Map<String, StressCase> cases, String about, Stream<StressCase> more) {
        more.forEach(each -> cases.put(about + ": " + each.name(), each));
    }
}
