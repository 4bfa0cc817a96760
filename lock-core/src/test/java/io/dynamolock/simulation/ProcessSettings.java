package io.dynamolock.simulation;

import io.dynamolock.internal.engine.EngineSettings;
import java.time.Duration;
import java.util.SplittableRandom;

/** Draws how the processes of one seed are set up: within what is allowed, and not all alike. */
final class ProcessSettings {

    /** Two clocks may run apart by as much as the lease and the validity of a session differ: a twentieth. */
    private static final long MOST_DRIFT = 25_000;

    private final SplittableRandom random;
    private final Faults faults;
    private final boolean overHours;
    private final Duration lease;
    private final boolean alike;
    private final Duration maxClockSkew;
    private final Duration pollMin;
    private final int callsInFlight;
    private final int maxQueue;
    private long drift;

    ProcessSettings(SplittableRandom random, Faults faults) {
        this.random = random;
        this.faults = faults;
        this.overHours = faults.enabled(FaultKind.EXPIRY) && random.nextInt(3) == 0;
        this.lease = Duration.ofSeconds(overHours || random.nextInt(12) == 0 ? 20 : 2 + 2 * random.nextInt(2));
        this.alike = random.nextBoolean();
        // The same for all processes of a table.
        this.maxClockSkew = switch (random.nextInt(4)) {
            case 0 -> Duration.ZERO;
            case 1, 2 -> faults.enabled(FaultKind.CLOCK_RATES) ? Duration.ofMinutes(5) : Duration.ofSeconds(10);
            default -> Duration.ofMinutes(5);
        };
        this.pollMin = Duration.ofMillis(overHours ? 5_000 : random.nextInt(3) > 0 ? 20 : 30 + random.nextInt(200));
        this.callsInFlight = random.nextInt(6) == 0 ? 2 + random.nextInt(4) : 32;
        // The same for all processes of a table; mostly so long that nobody stands at the door.
        this.maxQueue = random.nextInt(4) == 0 ? 1 + random.nextInt(4) : 200;
    }

    /** The usual lease. */
    Duration lease() {
        return lease;
    }

    /** Whether this seed goes on for so long that items of the table expire. */
    boolean overHours() {
        return overHours;
    }

    Duration maxClockSkew() {
        return maxClockSkew;
    }

    EngineSettings next() {
        Duration own = alike || random.nextBoolean() ? lease : lease.multipliedBy(1 + random.nextInt(3));
        boolean delays = !alike && random.nextInt(4) == 0;
        return new EngineSettings(
                "named by the process",
                own,
                own.dividedBy(4),
                own.dividedBy(20),
                pollMin,
                overHours ? Duration.ofSeconds(20) : Duration.ofSeconds(1),
                delays ? lease.dividedBy(2) : Duration.ZERO,
                maxClockSkew,
                shorter(Duration.ofSeconds(4), own.dividedBy(5)),
                callsInFlight,
                alike ? Duration.ofHours(1) : Duration.ofHours(1 + random.nextInt(48)),
                maxQueue);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    SimulatedClock clock(VirtualTime time, Duration ofLease) {
        drift = 0;
        if (faults.enabled(FaultKind.CLOCK_RATES)) {
            faults.struck(FaultKind.CLOCK_RATES);
            drift = random.nextInt(3) == 0
                    ? random.nextLong(-MOST_DRIFT, MOST_DRIFT)
                    : random.nextBoolean() ? MOST_DRIFT : -MOST_DRIFT;
        }
        if (overHours) {
            // Else wall clocks that nobody sets would be minutes apart in the end.
            drift /= 100;
        }
        long origin = switch (random.nextInt(3)) {
            case 0 -> 0;
            case 1 -> random.nextLong();
            default -> Long.MAX_VALUE - random.nextLong(120_000_000_000L);
        };
        return new SimulatedClock(time, origin, drift, random.nextBoolean(), ofLease);
    }

    String describeClock() {
        return drift == 0 ? "" : "clock rate " + (drift > 0 ? "+" : "") + drift + " ppm";
    }
}
