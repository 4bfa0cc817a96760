package io.dynamolock.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.benchmarks.database.Usage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContentionResultTest {

    /** Times in milliseconds. */
    private static Section section(int process, long asked, long granted, long releasing) {
        return shared(1, process, asked, granted, releasing);
    }

    private static Section shared(int allowed, int process, long asked, long granted, long releasing) {
        return new Section(process, allowed, ms(asked), ms(granted), ms(releasing), ms(releasing + 5));
    }

    private static long ms(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }

    private static ContentionResult result(List<Long> waitingSinceMillis, Section... sections) {
        return new ContentionResult(
                List.of(sections),
                Section::granted,
                ms(0),
                ms(1_000),
                new Usage(6, 3, 6, 3),
                Duration.ofMillis(12),
                waitingSinceMillis.stream().map(ContentionResultTest::ms).toList(),
                0,
                0);
    }

    @Test
    void countsOnlySectionsGrantedInTheMeasuredTime() {
        ContentionResult result = result(
                List.of(),
                section(0, -20, -10, 5),
                section(0, 0, 10, 20),
                section(0, 0, 999, 1_010),
                section(0, 0, 1_000, 1_010));
        assertThat(result.sections()).isEqualTo(2);
        assertThat(result.sectionsPerSecond()).isEqualTo(2);
        assertThat(result.writesPerSection()).isEqualTo(3);
    }

    @Test
    void atAFixedRateASectionCountsFromTheMomentWhenItWasToStart() {
        ContentionResult result = new ContentionResult(
                List.of(section(0, -10, 10, 20), section(0, 900, 1_100, 1_100), section(0, 1_000, 1_010, 1_020)),
                Section::asked,
                ms(0),
                ms(1_000),
                new Usage(2, 0, 2, 0),
                Duration.ZERO,
                List.of(),
                0,
                0);
        assertThat(result.sections()).isEqualTo(1);
        assertThat(result.lockTimes().medianMillis()).isEqualTo(200 + 5);
    }

    @Test
    void aGrantThatPassesAnEarlierArrivalIsAnInversion() {
        ContentionResult result =
                result(List.of(), section(0, 10, 20, 30), section(0, 12, 40, 50), section(0, 11, 60, 70));
        assertThat(result.inversions(Duration.ZERO)).isEqualTo(1);
        assertThat(result.inversions(Duration.ofMillis(5))).isZero();
        assertThat(result.largestInversionMillis()).isEqualTo(1);
    }

    @Test
    void aCallerWithoutAGrantWasPassedByAllThatCameLater() {
        ContentionResult result = result(List.of(5L), section(0, 1, 20, 30), section(0, 10, 40, 50));
        assertThat(result.inversions(Duration.ZERO)).isEqualTo(1);
        assertThat(result.longestWaitMillis()).isEqualTo(995);
    }

    @Test
    void twoSectionsAtATimeAreAnOverlap() {
        assertThat(result(List.of(), section(0, 0, 10, 30), section(1, 0, 20, 25), section(1, 0, 40, 50))
                        .overlaps())
                .isEqualTo(1);
    }

    @Test
    void tooManySharersOrAnExclusiveHolderInCompanyAreAnOverlap() {
        Section first = shared(2, 0, 0, 10, 30);
        Section second = shared(2, 1, 0, 20, 40);
        Section whenTheFirstEnds = shared(2, 0, 0, 30, 50);
        assertThat(result(List.of(), first, second, whenTheFirstEnds).overlaps())
                .isZero();
        assertThat(result(List.of(), first, second, shared(2, 0, 0, 29, 50)).overlaps())
                .as("a third of two permits")
                .isEqualTo(1);
        assertThat(result(List.of(), first, section(1, 0, 20, 40)).overlaps())
                .as("a writer beside a reader")
                .isEqualTo(1);
        assertThat(result(List.of(), section(0, 0, 10, 30), second).overlaps())
                .as("a reader beside a writer")
                .isEqualTo(1);
    }

    @Test
    void handOversAcrossProcessesAreToldFromThoseWithin() {
        ContentionResult result =
                result(List.of(), section(0, 0, 10, 20), section(0, 0, 21, 30), section(1, 0, 70, 80));
        assertThat(result.handOversWithin().medianMillis()).isEqualTo(1);
        assertThat(result.handOversAcross().medianMillis()).isEqualTo(40);
    }
}
