package io.dynamolock.benchmarks;

import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.peer.Peers;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.SimpleCommandLinePropertySource;

/**
 * What the command line asks for, as in {@code --scenarios=1,2 --round-trip=5ms}.
 *
 * @param scenarios their numbers; empty is all
 * @param factor multiplies how long everything is measured
 * @param size multiplies how many locks and waiters the large scenarios have
 * @param endpoint of a DynamoDB that runs already
 * @param region of AWS's DynamoDB if no endpoint is given
 * @param roundTrip added to every call; by default 5 ms, but none on AWS
 * @param output the folder for tables and charts
 * @param commit what is measured, in words; empty if it was not said
 */
record BenchmarkOptions(
        Set<Integer> scenarios,
        List<Peer> peers,
        double factor,
        double size,
        int rounds,
        Optional<URI> endpoint,
        Optional<String> region,
        Duration roundTrip,
        Path output,
        Optional<String> commit) {

    static final List<String> NAMES = List.of(
            "scenarios", "peers", "factor", "size", "rounds", "endpoint", "region", "round-trip", "output", "commit");

    private static final String USUAL_ROUND_TRIP = "5ms";

    static BenchmarkOptions parse(String... arguments) {
        SimpleCommandLinePropertySource given = new SimpleCommandLinePropertySource(arguments);
        for (String name : given.getPropertyNames()) {
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException("There is no option --" + name + "; there are " + NAMES + ".");
            }
        }
        Optional<URI> endpoint =
                Optional.ofNullable(given.getProperty("endpoint")).map(URI::create);
        Optional<String> region = Optional.ofNullable(given.getProperty("region"));
        boolean onAws = endpoint.map(BenchmarkOptions::isAws).orElse(region.isPresent());
        return new BenchmarkOptions(
                numbers(given.getProperty("scenarios")),
                peers(given.getProperty("peers")),
                Double.parseDouble(or(given.getProperty("factor"), "1")),
                Double.parseDouble(or(given.getProperty("size"), "1")),
                Integer.parseInt(or(given.getProperty("rounds"), "2")),
                endpoint,
                region,
                DurationStyle.detectAndParse(or(given.getProperty("round-trip"), onAws ? "0ms" : USUAL_ROUND_TRIP)),
                Path.of(or(given.getProperty("output"), "benchmarks/target/benchmarks")),
                Optional.ofNullable(given.getProperty("commit")));
    }

    private static boolean isAws(URI endpoint) {
        return endpoint.getHost() != null && endpoint.getHost().endsWith(".amazonaws.com");
    }

    boolean wants(int scenario) {
        return scenarios.isEmpty() || scenarios.contains(scenario);
    }

    private static List<Peer> peers(@Nullable String ids) {
        return ids == null ? Peers.all() : Peers.named(List.of(ids.split(",")));
    }

    private static Set<Integer> numbers(@Nullable String list) {
        Set<Integer> numbers = new TreeSet<>();
        if (list != null) {
            for (String number : list.split(",")) {
                numbers.add(Integer.valueOf(number.trim()));
            }
        }
        return numbers;
    }

    private static String or(@Nullable String given, String usual) {
        return given == null ? usual : given;
    }
}
