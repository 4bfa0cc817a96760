package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.report.PageFigure;
import java.time.Duration;
import java.util.List;

/** The figures of the chart in the README: what a lock costs its caller, and what a hand-over takes. */
public final class Overview {

    public static final List<PageFigure> FIGURES = List.of(
            new PageFigure(
                    1,
                    Uncontended.Variant.NEW_KEYS_AT_A_FIXED_RATE.title,
                    Uncontended.P50,
                    "the caller's time for a free lock"),
            new PageFigure(
                    3,
                    HotKeyAcrossProcesses.tableTitle(Duration.ofMillis(10)),
                    HotKeyAcrossProcesses.TO_ANOTHER_PROCESS,
                    "hand-over between busy processes"),
            new PageFigure(3, HandOvers.TABLE, HandOvers.AFTER_TEN_SECONDS, "hand-over after a hold of 10 s"));

    private Overview() {}
}
