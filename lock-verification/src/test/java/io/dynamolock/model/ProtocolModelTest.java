package io.dynamolock.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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
 * TLC looks at every state of the protocol's small configurations. A model that something makes smaller than it was
 * proves less than it says, so the number of states is asserted, and what happened in them. The figures go to
 * {@code target/model-configurations.md}.
 */
class ProtocolModelTest {

    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final Duration LARGE_LIMIT = Duration.ofHours(6);
    private static final String LARGE = System.getProperty("model.large", "");
    private static final Set<String> CHOSEN = Set.of(LARGE.split(","));
    private static final Report REPORT = Report.of("model-configurations.md", "configuration", "states");

    @TempDir
    private Path directory;

    /** @param happens what only this configuration is there for, in the words of {@code Model.tla} */
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
        TlcResult result = Tlc.in(directory).check("Model", configuration.name(), LIMIT);

        assertThat(result.isGreen()).as(result.output()).isTrue();
        assertThat(result.distinctStates()).as(result.output()).isGreaterThanOrEqualTo(configuration.atLeast());
        assertThat(result.happened()).containsAll(configuration.happens());
        REPORT.add(configuration, result.summary());
    }

    /**
     * Instead of the small ones; with {@code -Dmodel.large=true} all, with {@code -Dmodel.large=Behind,Share} two of the
     * largest.
     */
    @ParameterizedTest
    @MethodSource("chosen")
    @Execution(ExecutionMode.CONCURRENT)
    @EnabledIfSystemProperty(named = "model.large", matches = ".+")
    void promisesHoldInALargerConfiguration(Configuration configuration) {
        TlcResult result = Tlc.in(directory).thorough().check("Model", configuration.name(), LARGE_LIMIT);

        assertThat(result.isGreen()).as(result.output()).isTrue();
        assertThat(result.distinctStates()).as(result.output()).isGreaterThanOrEqualTo(configuration.atLeast());
        assertThat(result.happened()).containsAll(configuration.happens());
        REPORT.add(configuration, result.summary());
    }

    @Test
    void everyMechanismIsUsedInSomeConfiguration() throws IOException {
        Set<String> used = new TreeSet<>();
        Stream.of(configurations(), larger(), largest())
                .flatMap(some -> some)
                .forEach(configuration -> used.addAll(configuration.happens()));

        assertThat(used).isEqualTo(Tlc.mechanisms(Tlc.BLOCKS));
    }

    static Stream<Configuration> configurations() {
        return Stream.of(
                new Configuration("Twice", 450, Set.of("twice", "late ask")),
                new Configuration(
                        "Grows",
                        1_300,
                        Set.of("grows while it waits", "grows while it holds", "growth refused", "late grow")),
                new Configuration("Renames", 2_000, Set.of("rename", "rename shown by another answer", "late rename")),
                new Configuration("Dispute", 1_000, Set.of("dispute", "dispute of a wanted block", "stray taken out")),
                new Configuration("Door", 2_000, Set.of("full", "room seen")),
                new Configuration("Hasty", 900, Set.of("turned away")),
                new Configuration("Removed", 1_000, Set.of("gone", "loss noticed at the release")),
                new Configuration("Loss", 900, Set.of("session lost", "next session", "dead taken out")),
                new Configuration("Crash", 900, Set.of("crash of a holder", "burial", "dead taken out", "late leave")),
                new Configuration(
                        "Readers",
                        900,
                        Set.of("readers of two processes", "reader behind a writer", "writer behind readers")));
    }

    static Stream<Configuration> chosen() {
        return Stream.concat(
                larger(),
                largest().filter(configuration -> LARGE.equals("true") || CHOSEN.contains(configuration.name())));
    }

    /** These take the third part of a minute, and more. */
    static Stream<Configuration> larger() {
        return Stream.of(
                new Configuration(
                        "Order",
                        7_500,
                        Set.of(
                                "passed on in a block",
                                "several wait in the queue",
                                "given up",
                                "growth shown by another answer")),
                new Configuration("Looks", 5_000, Set.of("granted by an old look", "look from before the place")),
                new Configuration(
                        "Sessions",
                        12_000,
                        Set.of("pause beyond the lease", "session lost", "next session", "burial of the living")),
                new Configuration(
                        "Undo", 2_000, Set.of("ask repeated in vain", "undo finds it", "undo finds nothing")));
    }

    /** Three processes, slow beats, or a lock that more than one caller may hold. */
    static Stream<Configuration> largest() {
        return Stream.of(
                new Configuration("Beats", 1, Set.of()),
                new Configuration("Crowd", 5_000, Set.of("two dead taken out in one")),
                new Configuration("Behind", 5_000, Set.of("dead taken out by one who is not next", "dispute")),
                new Configuration("Share", 2_000, Set.of("readers of one block", "reader forced out beside another")),
                new Configuration("Downgrade", 4_500, Set.of("downgrade", "downgrade beside another of its process")),
                new Configuration("Permits", 800, Set.of("two permits", "permit waits")),
                new Configuration(
                        "Resize", 900, Set.of("other number refused", "raised", "lowered below what is held")),
                new Configuration("Mixed", 1_300, Set.of("reader beside an unknown mode", "permit beside a reader")),
                new Configuration("Tries", 1, Set.of("reader turned away", "permit turned away")),
                new Configuration("Middle", 1_000, Set.of("dead taken out behind the living")),
                new Configuration("Between", 2_500, Set.of("dead writer taken out between readers")),
                new Configuration("Nearest", 2_000, Set.of("dead taken out before the living")),
                new Configuration("Found", 2_000, Set.of("dispute behind the first")));
    }
}
