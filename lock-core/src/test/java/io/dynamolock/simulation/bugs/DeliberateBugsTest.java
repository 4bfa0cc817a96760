package io.dynamolock.simulation.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator finds every one of many bugs that were put into the engine or its store on purpose. A bug is looked for
 * from the seed on that is known to find it, then in all others; with {@code -Dbugs.search} in one seed after the other,
 * which takes long, and tells the first that finds it.
 */
class DeliberateBugsTest {

    private static final int SEEDS = 2_000;
    private static final boolean FROM_THE_FIRST_SEED = System.getProperty("bugs.search") != null;

    /**
     * In every build, the bugs that need no compiler and that nearly every seed finds; with {@code -Dbugs=all}, all of
     * them.
     */
    private static final boolean ALL = "all".equals(System.getProperty("bugs"));

    private static final long QUICK = 5;

    /** The build plays thousands of seeds without a bug already. */
    private static final int SEEDS_WITHOUT_BUG = ALL ? 50 : 10;

    private record Finding(long seed, String violation) {}

    private static final Map<Bug, CompletableFuture<@Nullable Finding>> SEARCHES = new LinkedHashMap<>();
    private static final ExecutorService SEARCHERS =
            Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), task -> {
                Thread thread = new Thread(task, "bug search");
                thread.setDaemon(true);
                return thread;
            });

    static Stream<Bug> bugs() {
        return KnownBugs.all()
                .filter(bug ->
                        ALL || FROM_THE_FIRST_SEED || bug instanceof TwistedBug && distance(bug.foundBy()) < QUICK);
    }

    @BeforeAll
    static void beginToSearch() {
        bugs().forEach(bug -> SEARCHES.put(bug, CompletableFuture.supplyAsync(() -> search(bug), SEARCHERS)));
    }

    @AfterAll
    static void stop() {
        SEARCHERS.shutdownNow();
    }

    private static @Nullable Finding search(Bug bug) {
        LongFunction<@Nullable String> simulation = bug.simulation();
        boolean isBelowZero = bug.foundBy() < 0;
        long first = FROM_THE_FIRST_SEED ? 0 : distance(bug.foundBy());
        for (long i = 0; i < SEEDS; i++) {
            long nth = (first + i) % SEEDS;
            long seed = isBelowZero ? -1 - nth : nth;
            String violation = simulation.apply(seed);
            if (violation != null) {
                return new Finding(seed, violation);
            }
        }
        return null;
    }

    /** From the first seed, 0 or -1. */
    private static long distance(long seed) {
        return seed < 0 ? -1 - seed : seed;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bugs")
    void everyBugIsFound(Bug bug) throws ExecutionException, InterruptedException {
        Finding finding = SEARCHES.get(bug).get();
        assertThat(finding)
                .as("what is found within %s seeds if the engine has the bug '%s' (%s)", SEEDS, bug, bug.danger())
                .isNotNull();
        System.out.println("| " + bug + " | " + finding.seed() + " | " + firstLine(finding.violation()) + " |");
    }

    private static String firstLine(String text) {
        return text.lines().filter(line -> !line.isBlank()).findFirst().orElse("");
    }

    @Test
    void withoutABugNothingIsFound() {
        BrokenSimulation simulation = BrokenSimulation.intact();
        for (long seed = 0; seed < SEEDS_WITHOUT_BUG; seed++) {
            assertThat(simulation.run(seed)).as("seed " + seed).isNull();
            assertThat(simulation.run(-1 - seed)).as("seed " + (-1 - seed)).isNull();
        }
    }
}
