package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.report.ScenarioReport;

/** Something that is measured, with every peer. */
public interface Scenario {

    int number();

    ScenarioReport run(Bench bench) throws InterruptedException;
}
