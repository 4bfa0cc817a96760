package io.dynamolock.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The model has teeth: a few of the weakenings, all of them with {@code -Dmodel.teeth=all}. With
 * {@code -Dmodel.teeth=control} nothing is weakened, and the same checks must find nothing.
 */
class SpecTeethTest {

    private static final Set<String> QUICK = Set.of(
            "claim without 'serving <'",
            "claim without being first",
            "release whoever holds the lock",
            "bury before a whole lease is over",
            "grant without a look at the session's validity",
            "no undo");

    @TempDir
    private Path directory;

    private static final String WHICH = System.getProperty("model.teeth", "quick");

    @ParameterizedTest
    @MethodSource("weakenings")
    void aWeakerProtocolBreaksAPromise(Weakening weakening) {
        boolean control = WHICH.equals("control");
        TlcResult result = SpecTeeth.bite(control ? weakening.undone() : weakening, directory);

        System.out.println("| " + weakening + " | " + weakening.caughtBy() + " | " + weakening.configuration() + " | "
                + result.statesFound() + " | " + result.stepsToError() + " |");
        String expected = control ? "" : weakening.caughtBy().inTlcsWords();
        assertThat(result.violated()).as(result.output()).isEqualTo(expected);
        assertThat(result.isGreen()).as(result.output()).isEqualTo(control);
    }

    @ParameterizedTest
    @EnabledIfSystemProperty(named = "model.teeth", matches = "all")
    @MethodSource("redundant")
    void nothingBreaksWithoutWhatIsThereTwice(Weakening weakening) {
        TlcResult result = SpecTeeth.bite(weakening, directory);

        System.out.println("| " + weakening + " | " + weakening.configuration() + " | " + result.summary() + " |");
        assertThat(result.isGreen()).as(result.output()).isTrue();
    }

    static Stream<Weakening> redundant() {
        return SpecTeeth.REDUNDANT.stream();
    }

    static Stream<Weakening> weakenings() {
        boolean quick = WHICH.equals("quick");
        return SpecTeeth.ALL.stream().filter(weakening -> !quick || QUICK.contains(weakening.what()));
    }
}
