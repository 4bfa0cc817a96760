package io.dynamolock.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Shows that the model has teeth: TLC must find an error in each weakened specification. Runs a few weakenings, and all
 * of them with {@code -Dmodel.teeth=all}. With {@code -Dmodel.teeth=control} nothing is weakened, and the same checks
 * must find nothing.
 */
class ModelTeethTest {

    private static final Set<String> QUICK = Set.of(
            "a writer holds the lock behind another process's",
            "the next grant before a fenced entry is out",
            "the next grant before the data is written",
            "grant by an entry whose removal was sent",
            "expire before a whole lease is over");

    private static final String WHICH = System.getProperty("model.teeth", "quick");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource("weakenings")
    @Execution(ExecutionMode.CONCURRENT)
    void aWeakerProtocolBreaksAPromise(Weakening weakening) {
        boolean control = WHICH.equals("control");
        TlcResult result = (control ? weakening.undone() : weakening).bite(directory);

        String expected = control ? "" : weakening.violated();
        assertThat(result.violated()).as(result.output()).isEqualTo(expected);
        assertThat(result.isGreen()).as(result.output()).isEqualTo(control);
    }

    @Test
    void theQuickWeakeningsAreAmongAllAndNoneIsThereTwice() {
        assertThat(Weakening.all())
                .extracting(Weakening::what)
                .containsAll(QUICK)
                .doesNotHaveDuplicates();
    }

    static Stream<Weakening> weakenings() {
        boolean quick = WHICH.equals("quick");
        return Weakening.all().stream().filter(weakening -> !quick || QUICK.contains(weakening.what()));
    }
}
