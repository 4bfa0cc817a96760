package io.dynamolock.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Why this project does not use the article's protocol: TLC finds two holders of that lock, in two ways. */
class ArticleQueueTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void twoHoldItsLockIfOneStallsBetweenItsNumberAndItsRow() {
        assertThat(check("Gap = TRUE", "Skew = 0").violated()).isEqualTo("MutualExclusion");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void twoHoldItsLockIfOneClockIsAhead() {
        assertThat(check("Gap = FALSE", "Skew = 3").violated()).isEqualTo("MutualExclusion");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void withoutTheTwoFaultsTheArticlesProtocolIsRight() {
        TlcResult result = check("Gap = FALSE", "Skew = 0");

        assertThat(result.isGreen()).as(result.output()).isTrue();
        assertThat(result.distinctStates()).isGreaterThan(50);
    }

    private TlcResult check(String gap, String skew) {
        return Tlc.in(directory)
                .check(
                        "ArticleQueue",
                        "ArticleQueue",
                        (file, text) -> text.replace("Gap = TRUE", gap).replace("Skew = 0", skew),
                        LIMIT);
    }
}
