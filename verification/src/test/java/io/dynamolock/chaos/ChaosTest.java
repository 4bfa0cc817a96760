package io.dynamolock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.chaos.Schedule.Entry;
import io.dynamolock.chaos.WorkerSettings.Discipline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A short run of chaos. {@code -Dchaos.seed} replays a schedule, and {@code -Dchaos.duration} makes the run longer, as
 * the profile {@code proofs} does.
 */
class ChaosTest {

    private static final Duration DEFAULT_LENGTH = Duration.ofSeconds(15);
    private static final Duration ENOUGH_TO_MEET = Duration.ofMinutes(2);
    /** Nine kinds of faults in fifteen seconds, one of them the end of the database. */
    private static final long DEFAULT_SEED = 52;

    private static final int WORKERS = 4;
    private static final int KEYS = 3;
    private static final long AROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);
    private static final int SHOWN = 5;
    private static final int LINES = 150;

    @Test
    void everyPromiseIsKeptWhateverHappens() throws InterruptedException {
        long seed = Long.getLong("chaos.seed", DEFAULT_SEED);
        String duration = System.getProperty("chaos.duration");
        Duration length = duration == null ? DEFAULT_LENGTH : Duration.parse(duration);
        System.out.println("Chaos: " + length + " with " + replay(seed, length));
        Path folder = Path.of("target", "chaos", Long.toString(seed));
        List<Entry> schedule = Schedule.of(seed, ChaosRun.names(WORKERS), length);
        ChaosRun run = new ChaosRun(seed, length, WORKERS, KEYS, Discipline.LOCKED, folder, schedule);

        Verdict verdict = run.play();

        System.out.println("Chaos: seed " + seed + "\n" + verdict.summary());
        if (!verdict.violations().isEmpty()) {
            throw new AssertionError(
                    "Promises were broken. Repeat with " + replay(seed, length) + "; the histories are in "
                            + folder.toAbsolutePath() + "\n"
                            + verdict.violations().stream()
                                    .limit(SHOWN)
                                    .map(violation -> describe(violation, folder))
                                    .collect(Collectors.joining("\n")));
        }
        // In a short run with about twenty readers, it depends on the machine's speed which readers hold the lock
        // together.
        int together = length.compareTo(ENOUGH_TO_MEET) < 0 ? 1 : 2;
        assertThat(verdict.summary().processesTogether())
                .as("processes that held a lock together")
                .hasEntrySatisfying(
                        HoldMode.READ, processes -> assertThat(processes).isGreaterThanOrEqualTo(together))
                .hasEntrySatisfying(
                        HoldMode.PERMIT, processes -> assertThat(processes).isGreaterThanOrEqualTo(together));
    }

    private static String replay(long seed, Duration length) {
        return "-Dtest=ChaosTest -Dchaos.seed=" + seed + " -Dchaos.duration=" + length;
    }

    private static String describe(Violation violation, Path folder) {
        String text = violation.rule() + ": " + violation.what();
        if (violation.at() == Attempt.NONE) {
            return text;
        }
        List<String> slice = Histories.slice(folder, violation.at() - AROUND_NANOS, violation.at() + AROUND_NANOS / 2);
        return text + "\n"
                + slice.stream().limit(LINES).map(line -> "    " + line).collect(Collectors.joining("\n"));
    }
}
