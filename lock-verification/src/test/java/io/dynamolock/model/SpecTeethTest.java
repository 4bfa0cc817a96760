package io.dynamolock.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The model has teeth: a few of the weakenings, or all of them with {@code -Dmodel.teeth.all=true}. */
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

    @ParameterizedTest
    @MethodSource("weakenings")
    void aWeakerProtocolBreaksAPromise(Weakening weakening) {
        TlcResult result = SpecTeeth.bite(weakening, directory);

        String expected = weakening.caughtBy().inTlcsWords();
        assertThat(result.violated()).as(result.output()).isEqualTo(expected);
    }

    static Stream<Weakening> weakenings() {
        boolean all = Boolean.getBoolean("model.teeth.all");
        return SpecTeeth.ALL.stream().filter(weakening -> all || QUICK.contains(weakening.what()));
    }
}
