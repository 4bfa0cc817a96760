package io.dynamolock.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * TLC looks at every state of the protocol's small configurations. A model that something makes smaller than it was
 * proves less than it says, so the number of states is asserted, and what happened in them; {@code docs/testing.md}
 * tells more.
 */
class ProtocolModelTest {

    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final Duration LARGE_LIMIT = Duration.ofHours(6);

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
    void promisesHold(Configuration configuration) {
        TlcResult result = Tlc.in(directory).check("Model", configuration.name(), LIMIT);

        assertThat(result.isGreen()).as(result.output()).isTrue();
        assertThat(result.distinctStates()).as(result.output()).isGreaterThanOrEqualTo(configuration.atLeast());
        assertThat(result.happened()).containsAll(configuration.happens());
        System.out.println(configuration + ": " + result.summary());
    }

    /** Run by hand: see {@code docs/testing.md}. */
    @ParameterizedTest
    @ValueSource(strings = {"Beats", "Four", "Large"})
    @EnabledIfSystemProperty(named = "model.large", matches = "true")
    void promisesHoldInALargerConfiguration(String configuration) {
        TlcResult result = Tlc.in(directory).thorough().check("Model", configuration, LARGE_LIMIT);

        assertThat(result.isGreen()).as(result.output()).isTrue();
        System.out.println(configuration + ": " + result.summary());
    }

    @Test
    void everyMechanismIsUsedInSomeConfiguration() throws IOException {
        Set<String> used = new TreeSet<>();
        configurations().forEach(configuration -> used.addAll(configuration.happens()));

        assertThat(used).isEqualTo(Tlc.mechanisms());
    }

    static Stream<Configuration> configurations() {
        return Stream.of(
                new Configuration(
                        "Order",
                        45_000,
                        Set.of(
                                "block of two",
                                "passed on in a block",
                                "hand-over",
                                "hand-over answered early",
                                "claim without a row",
                                "twice",
                                "late try",
                                "late enter",
                                "late claim",
                                "late hand-over",
                                "given up",
                                "undo")),
                new Configuration("Looks", 7_000, Set.of("torn look", "numbers overdue", "new numbers")),
                new Configuration("Blocks", 9_000, Set.of("block of two", "rename", "late release")),
                new Configuration(
                        "Sessions",
                        50_000,
                        Set.of(
                                "crash of a holder",
                                "pause beyond the lease",
                                "session lost",
                                "next session",
                                "burial",
                                "burial of the living",
                                "claim from the dead")),
                new Configuration("Paused", 44_000, Set.of("eviction of a live block")),
                new Configuration(
                        "HandOver",
                        6_000,
                        Set.of(
                                "hand-over",
                                "hand-over answered early",
                                "hand-over with a rename",
                                "forgotten hand-over",
                                "forgotten hand-over lands",
                                "late hand-over",
                                "undo")),
                new Configuration(
                        "Following",
                        3_000,
                        Set.of(
                                "hand-over to two blocks",
                                "hand-over answered early",
                                "hand-over with a rename",
                                "rename")),
                new Configuration(
                        "Extending",
                        12_000,
                        Set.of("extension", "late extension", "extension of a block that is renamed")),
                new Configuration(
                        "Rival",
                        48_000,
                        Set.of("extension", "extension refused", "extension after the lock was let go")),
                new Configuration("Interrupted", 22_000, Set.of("extension", "session lost", "claim from the dead")),
                new Configuration(
                        "TakenAway",
                        18_000,
                        Set.of("hand-over refused", "hand-over refused early", "burial of the living", "next session")),
                new Configuration("Undo", 2_000, Set.of("undo", "given up")),
                new Configuration("Dispute", 4_000, Set.of("late try", "dispute", "release on a dispute")),
                new Configuration("Eviction", 9_000, Set.of("late enter", "eviction of a stray row")),
                new Configuration("Loss", 2_000, Set.of("session lost", "next session", "burial of the living")),
                new Configuration("Crash", 3_000, Set.of("crash of a holder", "burial", "claim from the dead")));
    }
}
