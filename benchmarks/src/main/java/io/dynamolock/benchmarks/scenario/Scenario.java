package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.peer.Peers;
import io.dynamolock.benchmarks.report.ScenarioReport;

/** A measurement with each peer that it is meant for. */
public interface Scenario {

    int number();

    default boolean isFor(Peer peer) {
        return Peers.isLock(peer);
    }

    /** @param bench has only the peers that this scenario is meant for */
    ScenarioReport run(Bench bench) throws InterruptedException;
}
