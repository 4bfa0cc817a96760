package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.simulation.SimulatedProcess;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedHoldTest {

    /** Lists of all who hold a lock would be seen in what is allocated, however fast they are made. */
    @Test
    void theReleaseOfAReaderCostsNoMoreBesideFourThousandThanBesideForty() {
        bytesOfAReleaseBeside(40);

        assertThat(bytesOfAReleaseBeside(4_000)).isLessThan(5 * bytesOfAReleaseBeside(40));
    }

    private static long bytesOfAReleaseBeside(int readers) {
        Cluster cluster = new Cluster();
        SimulatedProcess process = cluster.startedProcess();
        List<Acquisition> acquired = new ArrayList<>();
        for (int i = 0; i < readers; i++) {
            acquired.add(process.acquire(new AcquireSpec(KEY, "test", MINUTE, null, null, Kind.READ, 0, false)));
        }
        cluster.time.advance(Duration.ofSeconds(1));
        List<Grant> grants = acquired.stream().map(process::grantOf).toList();
        int some = readers / 2;
        long before = allocated();
        grants.subList(0, some).forEach(Grant::release);
        cluster.time.settle();
        return (allocated() - before) / some;
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }
}
