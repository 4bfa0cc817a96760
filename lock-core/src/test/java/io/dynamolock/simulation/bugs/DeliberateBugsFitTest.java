package io.dynamolock.simulation.bugs;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The list of deliberate bugs follows the code: each of them can still be put in. {@code -Dbugs=all} compiles them all. */
class DeliberateBugsFitTest {

    static Stream<PatchedBug> patches() {
        return KnownBugs.all().filter(PatchedBug.class::isInstance).map(PatchedBug.class::cast);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("patches")
    void everyDeliberateBugStillFitsTheCode(PatchedBug bug) {
        assertThatCode(() -> BrokenSimulation.sourceWith(bug)).doesNotThrowAnyException();
    }
}
