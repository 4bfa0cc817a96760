package io.dynamolock.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * TLC looks at every state of the small configurations of the protocol; the larger ones instead with
 * {@code -Dmodel.large=all}, or some of them by their names. The number of states is asserted, and what happened in them, as a model that something makes
 * smaller than it was proves less than it says. The figures go to {@code target/model.md}.
 */
class ModelTest {

    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final Duration LARGE_LIMIT = Duration.ofHours(1);
    private static final Report REPORT = Report.of("model.md", "configuration", "states");

    @TempDir
    private Path directory;

    /** @param happens what this configuration is there for, in the words of {@code Model.tla} */
    private record Configuration(String name, long atLeast, Set<String> happens) {

        @Override
        public String toString() {
            return name;
        }
    }

    @ParameterizedTest
    @MethodSource("configurations")
    @Execution(ExecutionMode.CONCURRENT)
    @DisabledIfSystemProperty(named = "model.large", matches = ".+")
    void promisesHold(Configuration configuration) {
        check(Tlc.in(directory), configuration, LIMIT);
    }

    @ParameterizedTest
    @MethodSource("chosen")
    @Execution(ExecutionMode.CONCURRENT)
    @EnabledIfSystemProperty(named = "model.large", matches = ".+")
    void promisesHoldInALargerConfiguration(Configuration configuration) {
        check(Tlc.in(directory).thorough(), configuration, LARGE_LIMIT);
    }

    @Test
    void everyMechanismIsUsedInSomeConfiguration() throws IOException {
        Set<String> used = new TreeSet<>();
        Stream.concat(configurations(), larger()).forEach(configuration -> used.addAll(configuration.happens()));

        assertThat(used).isEqualTo(Tlc.mechanisms());
    }

    private static void check(Tlc tlc, Configuration configuration, Duration limit) {
        String module = configuration.name().equals("Sessions") ? "Sessions" : "Model";
        TlcResult result = tlc.check(module, configuration.name(), limit);

        assertThat(result.isGreen()).as(result.output()).isTrue();
        assertThat(result.distinctStates()).as(result.output()).isGreaterThanOrEqualTo(configuration.atLeast());
        assertThat(result.happened()).as(result.output()).containsAll(configuration.happens());
        REPORT.add(configuration, result.summary());
    }

    static Stream<Configuration> configurations() {
        return Stream.of(
                new Configuration(
                        "Runs",
                        1_900,
                        Set.of(
                                "fence",
                                "forced out",
                                "several slots",
                                "late append used",
                                "passed on without a write",
                                "late removal",
                                "removal and append in one edit",
                                "reissue for those who come next",
                                "the slot of one that gave up is had by the next",
                                "late append taken out")),
                new Configuration(
                        "Data",
                        3_200,
                        Set.of(
                                "data with a removal",
                                "data with a reissue",
                                "late reissue",
                                "reissue repeated under its number",
                                "reissue missing from a newer answer")),
                new Configuration("Crash", 500, Set.of("crash of a holder", "expired", "dead taken out")),
                new Configuration("Full", 1_400, Set.of("full")),
                new Configuration("Cleared", 150, Set.of("cleared", "item made anew")),
                new Configuration("Hasty", 2_300, Set.of("turned away")),
                new Configuration("Kept", 500, Set.of("kept", "kept taken out")),
                new Configuration("Spares", 600, Set.of("spare slot used")),
                new Configuration("Evicted", 700, Set.of("evicted holder", "evicted waiter")),
                new Configuration("Readers", 1_000, Set.of("readers of two processes", "reader behind a writer")),
                new Configuration("Permits", 1_000, Set.of("two permits", "permit waits")),
                new Configuration("Sessions", 4_000, Set.of()));
    }

    static Stream<Configuration> chosen() {
        String names = System.getProperty("model.large", "");
        return larger().filter(configuration ->
                names.equals("all") || List.of(names.split(",")).contains(configuration.name()));
    }

    /** These take half a minute, and more. */
    static Stream<Configuration> larger() {
        return Stream.of(
                new Configuration("Order", 12_000, Set.of("a run of two entries", "edit refused")),
                new Configuration("Late", 6_500, Set.of("late append")),
                new Configuration("Fences", 2_000, Set.of()),
                new Configuration("DataTwice", 3_500, Set.of()),
                new Configuration("TwoFaults", 40_000, Set.of()),
                new Configuration("Removed", 6_000, Set.of("removed", "item from the past")),
                new Configuration("LateCleared", 18_000, Set.of()),
                new Configuration("Orphans", 8_000, Set.of("orphan named by a notice", "forgotten")),
                new Configuration("Loss", 15_000, Set.of("session lost", "next session")),
                new Configuration("Tardy", 35_000, Set.of()),
                new Configuration("LateReaders", 2_000, Set.of()),
                new Configuration("LatePermits", 2_000, Set.of()),
                new Configuration(
                        "Resize",
                        17_000,
                        Set.of("other number refused", "number changed", "lowered below what is held")),
                new Configuration("Downgrade", 8_000, Set.of("downgrade")),
                new Configuration("Turning", 11_000, Set.of("downgrade before a writer of its process")),
                new Configuration("Beside", 25_000, Set.of()),
                new Configuration("LateKept", 12_000, Set.of()),
                new Configuration("EvictedRun", 2_800, Set.of("obeyed twice")),
                new Configuration("Twice", 3_000, Set.of("twice")),
                new Configuration("Middle", 40_000, Set.of()),
                new Configuration("Crowd", 14_000, Set.of()));
    }
}
