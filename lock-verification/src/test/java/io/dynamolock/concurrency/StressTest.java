package io.dynamolock.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs every stress test for a moment; {@code -Dstress.time=PT10M} spreads ten minutes over them. What was seen how often
 * is written to {@code target/stress.txt}.
 */
class StressTest {

    private static final Duration TIME = Duration.parse(System.getProperty("stress.time", "PT15S"));
    private static final Path SEEN = Path.of("target", "stress.txt");

    @BeforeAll
    static void startAfresh() throws IOException {
        Files.deleteIfExists(SEEN);
    }

    @TestFactory
    Stream<DynamicTest> nothingForbiddenHappens() {
        List<String> names = TestList.tests().stream().sorted().toList();
        Duration each = TIME.dividedBy(names.size());
        return names.stream()
                .map(name -> DynamicTest.dynamicTest(shortened(name), () -> assertNothingForbidden(name, each)));
    }

    private static void assertNothingForbidden(String name, Duration time) throws Exception {
        StressRun.Result result = StressRun.of(name, time);

        String seen = String.format("%s: %,d samples%n%s%n", shortened(name), result.samples(), result.table());
        Files.writeString(SEEN, seen, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        assertThat(result.failures()).as(seen).isEmpty();
        assertThat(result.samples()).as("samples").isPositive();
    }

    @Test
    void runsTheStressTestsOfAllClasses() {
        assertThat(TestList.tests().stream().map(StressTest::classOf).distinct())
                .containsExactlyInAnyOrderElementsOf(List.of(
                        "AcquisitionStress",
                        "EngineStress",
                        "FutureStress",
                        "GrantStress",
                        "HandleStress",
                        "InterruptStress",
                        "ListenerStress",
                        "LoopStress",
                        "RegistryStress",
                        "ValidityStress"));
    }

    private static String shortened(String name) {
        return name.replaceFirst("^.*\\.([^.]+\\.[^.]+)$", "$1");
    }

    private static String classOf(String name) {
        return shortened(name).replaceFirst("\\..*", "");
    }
}
