package io.dynamolock.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * TLC looks at every state of the small configurations of the protocol. With {@code -Dmodel.large=all} it looks at the
 * larger ones instead, or at those that the property names. The test also asserts the number of states and what
 * happened in them, because a model that has become smaller by mistake proves less than it says.
 */
class ModelTest {

    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final Duration LARGE_LIMIT = Duration.ofHours(1);

    @TempDir
    private Path directory;

    /**
     * The head of a configuration's file.
     *
     * @param happens what must happen in the configuration, in the words of {@code Model.tla}
     */
    private record Configuration(String name, boolean isLarge, long atLeast, Set<String> happens) {

        private static final Pattern HEAD =
                Pattern.compile("(Small|Large), at least (\\d+) states\\.(?: Here: ([^.]*)\\.)?");

        static Optional<Configuration> of(String name) {
            String head = Tlc.specification(name + ".cfg")
                    .lines()
                    .takeWhile(line -> line.startsWith("\\*"))
                    .map(line -> line.substring(2).strip())
                    .collect(Collectors.joining(" "));
            Matcher said = HEAD.matcher(head);
            return said.find()
                    ? Optional.of(new Configuration(
                            name,
                            said.group(1).equals("Large"),
                            Long.parseLong(said.group(2)),
                            said.group(3) == null
                                    ? Set.of()
                                    : Set.of(said.group(3).split(", "))))
                    : Optional.empty();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    @ParameterizedTest
    @MethodSource("chosen")
    @Execution(ExecutionMode.CONCURRENT)
    void promisesHold(Configuration configuration) {
        String module = Tlc.moduleOf(configuration.name());
        Tlc tlc = configuration.isLarge() ? Tlc.in(directory).thorough() : Tlc.in(directory);
        TlcResult result = tlc.check(module, configuration.name(), configuration.isLarge() ? LARGE_LIMIT : LIMIT);

        assertThat(result.isGreen()).as(result.output()).isTrue();
        assertThat(result.distinctStates()).as(result.output()).isGreaterThanOrEqualTo(configuration.atLeast());
        assertThat(result.happened()).as(result.output()).containsAll(configuration.happens());
    }

    @Test
    void everyMechanismOfTheModelOccursInSomeConfiguration() throws IOException {
        Set<String> used = new TreeSet<>();
        all().forEach(configuration -> used.addAll(configuration.happens()));

        assertThat(used).isEqualTo(Tlc.mechanisms());
    }

    private static Stream<Configuration> all() throws IOException {
        return Tlc.configurations().stream().map(Configuration::of).flatMap(Optional::stream);
    }

    /** The small configurations, or the chosen larger ones, which take five seconds or more. */
    static Stream<Configuration> chosen() throws IOException {
        String large = System.getProperty("model.large", "");
        List<String> names = List.of(large.split(","));
        return all().filter(configuration -> configuration.isLarge()
                ? large.equals("all") || names.contains(configuration.name())
                : large.isEmpty());
    }
}
