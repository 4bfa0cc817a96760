package io.dynamolock.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockAdmin.StoreTrouble;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.store.testing.Fault;
import io.dynamolock.internal.store.testing.FaultyLockStore;
import io.dynamolock.internal.store.testing.StoreOperation;
import io.dynamolock.internal.testing.ManualTime;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class LockHealthIndicatorTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final AtomicLong nanos = new AtomicLong();
    private final FlakyRegistry flaky = new FlakyRegistry();
    private final LockHealthIndicator indicator = indicator(flaky, LONG);

    private LockHealthIndicator indicator(FlakyRegistry registry, Duration patience) {
        return new LockHealthIndicator(registry.locks, nanos::get, Duration.ofSeconds(10), patience);
    }

    /** The last answer is too old from now on. */
    private void age() {
        nanos.addAndGet(Duration.ofSeconds(11).toNanos());
    }

    @AfterEach
    void close() {
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
    void healthTellsHowManyLocksAreHeld() {
        try (LockHandle handle = flaky.real.acquire("k", LONG)) {
            assertThat(indicator.health().getDetails())
                    .containsEntry("held", 1)
                    .hasEntrySatisfying(
                            "session", session -> assertThat(session).isInstanceOf(LockAdmin.Session.class));
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
    void aReadThatFailsOnceTakesNoInstanceAway() {
        assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
        flaky.breakDown();
        age();
        Health once = indicator.health();
        assertThat(once.getStatus()).isEqualTo(Status.UP);
        assertThat(once.getDetails().get("error")).asString().contains("nothing listens there");
    }

    /** Asks until several reads in a row have failed, over some seconds. */
    private Health outage() {
        for (int i = 0; i < 3; i++) {
            indicator.health();
            nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        }
        return indicator.health();
    }

    @Test
    void aFirstReadThatFailsIsNoVerdictYet() {
        flaky.breakDown();
        assertThat(indicator.health().getStatus()).isEqualTo(Status.UNKNOWN);
        assertThat(outage().getStatus()).isEqualTo(Status.DOWN);
    }

    private static StoreTrouble trouble(String operation, String kind, long failures, int seconds) {
        return new StoreTrouble(
                operation, kind, failures, Duration.ofSeconds(seconds), Duration.ofSeconds(1), "what AWS said");
    }

    @ParameterizedTest
    @ValueSource(strings = {"begin session", "heartbeat", "edit"})
    void aStepThatLocksNeedIsDownIfItFailsForSecondsThoughReadsWork(String operation) {
        flaky.troubles = List.of(trouble(operation, "denied", 3, 5));
        Health health = indicator.health();
        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails().get("problem"))
                .asString()
                .contains("'" + operation + "' 3 times", "what AWS said");
        assertThat(flaky.reads).hasValue(0);
    }

    @Test
    void failuresThatAreFewOrShortOrOfOtherStepsCostNothing() {
        flaky.troubles = List.of(
                trouble("edit", "unavailable", 2, 9),
                trouble("heartbeat", "unavailable", 9, 4),
                trouble("end session", "unavailable", 9, 9));
        assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
        assertThat(flaky.tries).hasValue(0);
    }

    /** As of a job that runs once an hour. */
    @ParameterizedTest
    @ValueSource(strings = {"denied", "unavailable", "refused"})
    void stepsThatFailAreDownHoweverSeldomTheyAreTried(String kind) {
        Duration hours = Duration.ofHours(2);
        flaky.troubles = List.of(new StoreTrouble("edit", kind, 3, hours, Duration.ofMinutes(59), "what AWS said"));
        assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"edit", "begin session"})
    void aStepThatFailedAndThatNobodyTriesIsTriedByTheCheck(String operation) {
        Duration minute = Duration.ofMinutes(1);
        flaky.troubles = List.of(new StoreTrouble(operation, "denied", 1, minute, minute, "what AWS said"));
        assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
        await().untilAsserted(() ->
                assertThat(flaky.real.admin().held()).as("and given back").isEmpty());
        assertThat(flaky.tries).hasValue(1);
        indicator.health();
        assertThat(flaky.tries).as("not at every check").hasValue(1);
        age();
        indicator.health();
        await().untilAtomic(flaky.tries, is(2));
    }

    @Test
    void anOutageThatIsOverIsSeenWithoutACaller() {
        FaultyLockStore store = new FaultyLockStore(new InMemoryLockStore());
        ManualTime time = new ManualTime();
        LockRegistry locks = RegistryBuilder.of(store).on(time).build();
        LockHealthIndicator check = new LockHealthIndicator(locks, time::nanos, Duration.ofSeconds(10), LONG);
        store.always(StoreOperation.EDIT, Fault.LOST_REQUEST);
        CompletableFuture<Void> caller = CompletableFuture.runAsync(
                () -> locks.acquire("k", Duration.ofSeconds(8)).close());
        time.advanceUntil(Duration.ofSeconds(1), caller::isDone);
        assertThat(check.health().getStatus()).isEqualTo(Status.DOWN);

        store.heal();
        time.advance(Duration.ofSeconds(11));
        assertThat(check.health().getStatus()).isEqualTo(Status.DOWN);
        // So little time passes that only an answer can have ended the trouble.
        time.advanceUntil(
                Duration.ofMillis(20), () -> check.health().getStatus().equals(Status.UP));
        assertThat(locks.admin().storeTroubles()).isEmpty();
        time.close(locks);
    }

    @Test
    void throttlingIsUpAndShown() {
        flaky.troubles = List.of(trouble("edit", "throttled", 50, 30));
        Health health = indicator.health();
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails().get("throttled")).asString().contains("'edit' 50 times", "what AWS said");
    }

    @Test
    void aProcessWithASessionIsJudgedByItsHeartbeatsWithoutARead() {
        flaky.breakDown();
        try (LockHandle handle = flaky.real.acquire("k", LONG)) {
            assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
            assertThat(handle.isValid()).isTrue();
        }
        assertThat(flaky.reads).hasValue(0);
    }

    @Test
    void anOutageIsDownAndSaysWhatToDoAndItsEndIsUpAgain() {
        flaky.breakDown();
        Health outage = outage();
        assertThat(outage.getStatus()).isEqualTo(Status.DOWN);
        assertThat(outage.getDetails().get("problem")).asString().contains("The table cannot be read");
        assertThat(outage.getDetails().get("action")).asString().contains("Check the network");
        assertThat(outage.getDetails().get("error")).asString().contains("nothing listens there");
        flaky.mend();
        age();
        assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
    }

    /** @return lets the table answer */
    private CountDownLatch hang() {
        CountDownLatch answers = new CountDownLatch(1);
        flaky.atRead = () -> {
            try {
                answers.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        return answers;
    }

    @Test
    void aHangingTableDoesNotHoldUpTheHealthCheck() {
        CountDownLatch answers = hang();
        LockHealthIndicator impatient = indicator(flaky, Duration.ofMillis(20));
        assertThat(impatient.health().getStatus()).isEqualTo(Status.UNKNOWN);
        assertThat(impatient.health().getStatus()).isEqualTo(Status.UNKNOWN);
        answers.countDown();
        await().untilAsserted(() -> assertThat(impatient.health().getStatus()).isEqualTo(Status.UP));
        assertThat(flaky.reads).hasValue(1);
    }

    @Test
    void whileTheTableHangsItsLastAnswerCounts() {
        LockHealthIndicator impatient = indicator(flaky, Duration.ofMillis(500));
        await().untilAsserted(() -> assertThat(impatient.health().getStatus()).isEqualTo(Status.UP));
        CountDownLatch answers = hang();
        age();
        assertThat(impatient.health().getStatus()).isEqualTo(Status.UP);
        answers.countDown();
    }

    @Test
    void aClockThatIsOffIsShownBesideUp() {
        FlakyRegistry ahead = new FlakyRegistry(InstantSource.offset(InstantSource.system(), Duration.ofHours(1)));
        Health health = indicator(ahead, LONG).health();
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails().get("clock"))
                .isEqualTo(ahead.real.admin().clockProblem().orElseThrow());
        assertThat(indicator.health().getDetails()).as("clocks that agree").doesNotContainKey("clock");
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
