package io.dynamolock.spring.autoconfigure.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockHandle;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class LockHealthIndicatorTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final ExecutorService asking = Executors.newSingleThreadExecutor();
    private final Queue<Runnable> later = new ArrayDeque<>();
    private final FlakyRegistry flaky = new FlakyRegistry();
    private final LockHealthIndicator indicator = indicator(flaky, LONG);

    private LockHealthIndicator indicator(FlakyRegistry registry, Duration patience) {
        return new LockHealthIndicator(registry.locks, new TableProbe(registry.locks, asking, this::later, patience));
    }

    private synchronized void later(Runnable task) {
        later.add(task);
    }

    /** The last answer is too old from now on. */
    private void age() {
        await().until(this::runOne);
    }

    private synchronized boolean runOne() {
        Runnable next = later.poll();
        if (next != null) {
            next.run();
        }
        return next != null;
    }

    @AfterEach
    void close() {
        asking.shutdownNow();
        flaky.real.close();
    }

    @Test
    void aProcessThatUsesNoLockYetIsUpIfItsTableAnswers() {
        Health health = indicator.health();
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails())
                .containsEntry("held", 0)
                .containsEntry("waiting", 0)
                .containsEntry("session", "idle");
    }

    @Test
    void itTellsHowManyLocksAreHeld() {
        try (LockHandle handle = flaky.real.acquire("k", LONG)) {
            assertThat(indicator.health().getDetails())
                    .containsEntry("held", 1)
                    .containsEntry("session", "alive")
                    .containsKeys("owner", "lastHeartbeat", "remaining");
            assertThat(handle.isValid()).isTrue();
        }
    }

    @Test
    void theTableIsAskedOnceWhileItsAnswerIsFresh() {
        for (int i = 0; i < 10; i++) {
            indicator.health();
        }
        assertThat(flaky.reads).hasValue(1);
        age();
        indicator.health();
        assertThat(flaky.reads).hasValue(2);
    }

    @Test
    void anOutageIsDownAndSaysWhatToDoAndItsEndIsUpAgain() {
        flaky.breakDown();
        Health outage = indicator.health();
        assertThat(outage.getStatus()).isEqualTo(Status.DOWN);
        assertThat(outage.getDetails().get("problem")).asString().contains("The table cannot be read");
        assertThat(outage.getDetails().get("action")).asString().contains("Check the network");
        assertThat(outage.getDetails().get("error")).asString().contains("nothing listens there");
        flaky.mend();
        age();
        assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void aTableThatHangsHoldsUpNobody() {
        CountDownLatch answers = new CountDownLatch(1);
        flaky.atRead = () -> {
            try {
                answers.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        LockHealthIndicator impatient = indicator(flaky, Duration.ofMillis(20));
        assertThat(impatient.health().getStatus()).isEqualTo(Status.UNKNOWN);
        assertThat(impatient.health().getStatus()).isEqualTo(Status.UNKNOWN);
        answers.countDown();
        await().untilAsserted(() -> assertThat(impatient.health().getStatus()).isEqualTo(Status.UP));
        assertThat(flaky.reads).hasValue(1);
    }

    @Test
    void whileATableHangsThatHasAnsweredTheLastAnswerIsTold() {
        LockHealthIndicator impatient = indicator(flaky, Duration.ofMillis(500));
        await().untilAsserted(() -> assertThat(impatient.health().getStatus()).isEqualTo(Status.UP));
        CountDownLatch answers = new CountDownLatch(1);
        flaky.atRead = () -> {
            try {
                answers.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        age();
        assertThat(impatient.health().getStatus()).isEqualTo(Status.UP);
        answers.countDown();
    }

    @Test
    void aClockThatIsOffIsDown() {
        FlakyRegistry ahead = new FlakyRegistry(InstantSource.offset(InstantSource.system(), Duration.ofHours(1)));
        Health health = indicator(ahead, LONG).health();
        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails().get("problem")).asString().contains("clock of this machine is wrong");
        ahead.real.close();
    }

    @Test
    void aClosedRegistryIsDown() {
        flaky.real.close();
        Health health = indicator.health();
        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails().get("problem")).asString().contains("closed");
    }
}
