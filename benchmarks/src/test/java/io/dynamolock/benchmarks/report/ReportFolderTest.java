package io.dynamolock.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFolderTest {

    private static ScenarioReport report(int number, Target... targets) {
        return new ScenarioReport(number, "Scenario", "As told.", List.of(), List.of(), List.of(targets));
    }

    @Test
    void targetsOfAnEarlierRunStayUntilTheirScenarioIsMeasuredAgain(@TempDir Path folder) {
        ReportFolder pages = new ReportFolder(folder);
        pages.write(report(1, Target.atMost("writes", 2, 2, "2", "two")), "- measured: long ago\n");
        pages.write(report(2, Target.below("wait", 60, 70, "< 60", "seventy")), "- measured: yesterday\n");
        pages.write(report(2, Target.below("wait", 60, 50, "< 60", "fifty")), "- measured: today\n");
        assertThat(folder.resolve("targets.md"))
                .content()
                .contains(
                        "| writes | 2 | two | met |",
                        "Measured: long ago",
                        "| wait | < 60 | fifty | met |",
                        "Measured: today")
                .doesNotContain("seventy", "yesterday");
    }

    @Test
    void targetsStandInTheOrderOfTheScenariosNumbers(@TempDir Path folder) {
        ReportFolder pages = new ReportFolder(folder);
        for (int number : List.of(10, 2, 1)) {
            pages.write(report(number, Target.atMost("writes", 2, 2, "2", "two")), "- measured: today\n");
        }
        assertThat(folder.resolve("targets.md"))
                .content()
                .containsSubsequence("(scenario-1.md)", "(scenario-2.md)", "(scenario-10.md)");
    }

    @Test
    void whatIsNoResultIsCalledSoAmongTheTargets(@TempDir Path folder) {
        new ReportFolder(folder)
                .write(report(1, Target.atLeast("share", 1, 1, "1", "all")), ReportFolder.NO_RESULT + " busy\n");
        assertThat(folder.resolve("targets.md")).content().contains(ReportFolder.NO_RESULT);
    }

    @Test
    void aTargetIsMissedByAnyExcessAndUnknownWithoutAFigure() {
        assertThat(Target.below("", 60, 60, "", "").verdict()).isEqualTo(Target.Verdict.MISSED);
        assertThat(Target.atMost("", 0.1, 0.1001, "", "").verdict()).isEqualTo(Target.Verdict.MISSED);
        assertThat(Target.atLeast("", 0.95, 0.9499, "", "").verdict()).isEqualTo(Target.Verdict.MISSED);
        assertThat(Target.atMost("", 1, Double.NaN, "", "").verdict()).isEqualTo(Target.Verdict.NOT_MEASURED);
        assertThat(Target.atMost("", Double.NaN, Double.NaN, "", "").verdict()).isEqualTo(Target.Verdict.NOT_MEASURED);
    }
}
