package io.dynamolock.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.openjdk.jcstress.infra.runners.TestList;

/** Runs every stress test for a moment; {@code -Dstress.time=20000} has each run for 20 seconds. */
class StressTest {

    private static final int MILLIS = Integer.getInteger("stress.time", 300);

    @TestFactory
    Stream<DynamicTest> nothingForbiddenHappens() {
        return TestList.tests().stream()
                .sorted()
                .map(name -> DynamicTest.dynamicTest(shortened(name), () -> assertNothingForbidden(name)));
    }

    private static void assertNothingForbidden(String name) throws Exception {
        StressRun.Result result = StressRun.of(name, MILLIS);

        assertThat(result.failures()).as(() -> name + "\n" + result.table()).isEmpty();
        assertThat(result.samples()).as("samples").isPositive();
    }

    @Test
    void runsTheStressTestsOfAllClasses() {
        assertThat(TestList.tests().stream().map(StressTest::classOf).distinct())
                .containsExactlyInAnyOrderElementsOf(List.of(
                        "CallerStress",
                        "EngineStress",
                        "GrantStress",
                        "HandleStress",
                        "ListenerStress",
                        "LoopStress",
                        "RegistryStress",
                        "SessionStress"));
    }

    private static String shortened(String name) {
        return name.replaceFirst("^.*\\.([^.]+\\.[^.]+)$", "$1");
    }

    private static String classOf(String name) {
        return shortened(name).replaceFirst("\\..*", "");
    }
}
