package io.dynamolock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.chaos.Schedule.Entry;
import io.dynamolock.chaos.WorkerSettings.Discipline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * The same workers with the lock switched off or broken: the checker must notice. Run in the profile {@code proofs}.
 */
class ChaosTeethTest {

    private static final int WORKERS = 2;
    private static final int KEYS = 2;

    @Test
    void withoutLocksUpdatesAreLost() throws InterruptedException {
        Verdict verdict = run(Discipline.UNLOCKED, Duration.ofSeconds(4), List.of());

        assertThat(verdict.brokenRules()).contains("one valid holder", "no lost update");
    }

    /** Needs a frozen worker that held a lock, which is very likely but not certain. */
    @Test
    void aWorkerThatTakesALostLockForValidIsFoundOut() throws InterruptedException {
        Duration freeze = WorkerSettings.LEASE.plusSeconds(4);
        List<Entry> schedule = List.of(
                new Entry(Duration.ofSeconds(4), "w0", Fault.FREEZE_LONG, freeze),
                new Entry(Duration.ofSeconds(14), "w1", Fault.FREEZE_LONG, freeze),
                new Entry(Duration.ofSeconds(24), "w0", Fault.FREEZE_LONG, freeze));

        Verdict verdict = run(Discipline.DEAF, Duration.ofSeconds(34), schedule);

        assertThat(verdict.brokenRules()).contains("one valid holder");
    }

    private static Verdict run(Discipline discipline, Duration length, List<Entry> schedule)
            throws InterruptedException {
        Path folder = Path.of("target", "chaos", discipline.name().toLowerCase(Locale.ROOT));
        return new ChaosRun(1, length, WORKERS, KEYS, discipline, folder, schedule).play();
    }
}
