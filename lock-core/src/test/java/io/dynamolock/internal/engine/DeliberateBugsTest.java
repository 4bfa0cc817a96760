package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.DeliberateBugs.Bug;
import io.dynamolock.internal.engine.EngineSimulation.Mishap;
import io.dynamolock.internal.engine.EngineSimulation.Story;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator finds each bug that is put into the rules on purpose. It first tries the seed that is known to find the
 * bug, then the seeds after that. With {@code -Dbugs.search} it begins with seed 0, and prints for each bug the first
 * seed that finds it.
 */
class DeliberateBugsTest {

    private static final int SEEDS = 4_000;
    private static final boolean IS_SEARCH = System.getProperty("bugs.search") != null;

    static Stream<Bug> bugs() {
        return DeliberateBugs.ALL.stream().filter(bug -> bug.foundBy() != DeliberateBugs.ONLY_TRACES);
    }

    @ParameterizedTest
    @MethodSource("bugs")
    @Execution(ExecutionMode.CONCURRENT)
    void everyBugIsFound(Bug bug) {
        long first = IS_SEARCH ? 0 : bug.foundBy();
        for (long i = 0; i < SEEDS; i++) {
            long seed = (first + i) % SEEDS;
            String broken = TraceRecorder.broken(seed, bug.rules().get());
            if (broken != null) {
                if (IS_SEARCH) {
                    System.out.println("| " + bug + " | " + seed + " | "
                            + broken.lines().findFirst().orElse("") + " |");
                }
                return;
            }
        }
        throw new AssertionError("no seed finds this bug, which may lead to: " + bug.danger());
    }

    static Stream<Bug> bugsOfStays() {
        return DeliberateBugs.OF_STAYS.stream();
    }

    @ParameterizedTest
    @MethodSource("bugsOfStays")
    void everyRuleOfStayingEntriesIsMissedWhenItIsLeftOut(Bug bug) {
        long first = IS_SEARCH ? 0 : bug.foundBy();
        for (long seed = first; seed < first + 300; seed++) {
            try {
                new EngineSimulation(
                                seed,
                                new Story(true, Mishap.RETURNS),
                                bug.rules().get())
                        .run();
            } catch (AssertionError broken) {
                if (IS_SEARCH) {
                    System.out.println("| " + bug + " | " + seed + " | "
                            + String.valueOf(broken.getMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse("") + " |");
                }
                return;
            }
        }
        throw new AssertionError("no seed finds this bug, which may lead to: " + bug.danger());
    }

    @Test
    void withoutABugNothingIsFound() {
        for (long seed = 0; seed < 5; seed++) {
            assertThat(TraceRecorder.broken(seed, new Rules())).isNull();
        }
    }
}
