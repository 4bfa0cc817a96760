package io.dynamolock.scale;

import io.dynamolock.simulation.VirtualTime;
import java.time.Duration;

/** One process holds the lock, others wait, nothing happens: what that uses. */
final class Standstill {

    private static final Duration SETTLING = Duration.ofSeconds(30);
    static final Duration MEASURED = Duration.ofSeconds(30);

    private Standstill() {}

    /** @return what is used in {@link #MEASURED} */
    static Usage run(Contestant contestant, int processes, int callersEach, long seed) {
        VirtualTime time = new VirtualTime();
        VirtualTable table = new VirtualTable(time, seed);
        LockSystem system = contestant.start(table, processes + 1, seed + 1);
        if (callersEach > 0) {
            system.acquire(0, "key", held -> {});
            time.advance(Duration.ofSeconds(1));
        }
        for (int process = 1; process <= processes; process++) {
            for (int i = 0; i < callersEach; i++) {
                system.acquire(process, "key", held -> {
                    throw new AssertionError("two holders");
                });
            }
            time.advance(Duration.ofMillis(5));
        }
        time.advance(SETTLING);
        Usage before = table.usage();
        time.advance(MEASURED);
        return table.usage().since(before);
    }
}
