package io.dynamolock.spring.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.OneClock;
import io.dynamolock.internal.store.testing.Fault;
import io.dynamolock.internal.store.testing.FaultyLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Two processes on one clock, which stands still until a test moves it. */
class DynamoLockProviderTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final OneClock clock = new OneClock();

    @AutoClose
    private final LockRegistry here = clock.registry("here");

    @AutoClose
    private final LockRegistry there = clock.registry("there");

    private static LockConfiguration job(Duration most, Duration least) {
        return new LockConfiguration(Instant.EPOCH, "job", most, least);
    }

    private static Optional<SimpleLock> lock(LockRegistry process, Duration most, Duration least) {
        return new DynamoLockProvider(process).lock(job(most, least));
    }

    private boolean isFreeForOthers() {
        Optional<SimpleLock> lock = lock(there, HOUR, Duration.ZERO);
        lock.ifPresent(SimpleLock::unlock);
        return lock.isPresent();
    }

    @Test
    void aLockThatIsTakenIsNotWaitedFor() {
        SimpleLock lock = lock(here, HOUR, Duration.ZERO).orElseThrow();
        assertThat(lock(there, HOUR, Duration.ZERO)).isEmpty();
        assertThat(lock(here, HOUR, Duration.ZERO)).isEmpty();
        lock.unlock();
        assertThat(isFreeForOthers()).isTrue();
    }

    @Test
    void anUnlockAfterTheLongestHoldLeavesTheLockToItsNewHolder() {
        SimpleLock late = lock(here, MINUTE, Duration.ZERO).orElseThrow();
        clock.advance(MINUTE);
        SimpleLock next = lock(there, HOUR, Duration.ZERO).orElseThrow();

        late.unlock();

        assertThat(lock(here, HOUR, Duration.ZERO)).isEmpty();
        assertThat(there.admin().held()).hasSize(1);
        next.unlock();
    }

    @Test
    void lockAtLeastForKeepsTheLockThatLong() {
        lock(here, HOUR, MINUTE).orElseThrow().unlock();
        clock.advance(MINUTE.minusMillis(1));
        assertThat(isFreeForOthers()).isFalse();
        clock.advance(Duration.ofMillis(1));
        assertThat(isFreeForOthers()).isTrue();
        assertThat(here.admin().held()).isEmpty();
    }

    @Test
    void aLockIsUnlockedAtOnceIfItWasHeldForLongerThanTheLeast() {
        SimpleLock lock = lock(here, HOUR, MINUTE).orElseThrow();
        clock.advance(MINUTE);
        lock.unlock();
        assertThat(isFreeForOthers()).isTrue();
    }

    @Test
    void theShortestHoldOutlivesAProcessThatStopsInOrder() {
        lock(here, HOUR, MINUTE.multipliedBy(5)).orElseThrow().unlock();

        here.close();

        clock.advance(MINUTE.multipliedBy(4));
        assertThat(isFreeForOthers()).isFalse();
        // By the table's clock, which may tell its time to the second and be off by five seconds.
        clock.advance(MINUTE.plusSeconds(7));
        assertThat(isFreeForOthers()).isTrue();
    }

    @Test
    void aProcessThatCrashesKeepsItsLocksForALeaseAndNoLonger() {
        FaultyLockStore[] network = new FaultyLockStore[1];
        LockRegistry crashing = clock.registry("crashing", table -> network[0] = new FaultyLockStore(table));
        SimpleLock lock = lock(crashing, HOUR, HOUR).orElseThrow();

        network[0].everything(Fault.LOST_REQUEST);
        lock.unlock();

        assertThat(isFreeForOthers()).isFalse();
        clock.advance(Duration.ofSeconds(10));
        assertThat(isFreeForOthers()).isFalse();
        clock.advance(Duration.ofSeconds(20));
        assertThat(isFreeForOthers()).isTrue();
    }

    @Test
    void anExtendedLockIsHeldForTheNewTimesFromNow() {
        SimpleLock lock = lock(here, MINUTE, Duration.ZERO).orElseThrow();
        clock.advance(Duration.ofSeconds(50));

        SimpleLock extended = lock.extend(MINUTE, Duration.ofSeconds(30)).orElseThrow();

        clock.advance(Duration.ofSeconds(20));
        assertThat(isFreeForOthers()).isFalse();
        extended.unlock();
        assertThat(isFreeForOthers()).isFalse();
        clock.advance(Duration.ofSeconds(10));
        assertThat(isFreeForOthers()).isTrue();
    }

    @Test
    void anExtendedLockThatIsNotUnlockedIsFreeAfterTheNewLongestHold() {
        SimpleLock extended = lock(here, MINUTE, Duration.ZERO)
                .orElseThrow()
                .extend(MINUTE.multipliedBy(3), Duration.ZERO)
                .orElseThrow();
        clock.advance(MINUTE.multipliedBy(2));
        assertThat(isFreeForOthers()).isFalse();
        clock.advance(MINUTE);
        assertThat(isFreeForOthers()).isTrue();
        extended.unlock();
    }

    @Test
    void bothTimesCanBeShortened() {
        SimpleLock shorter =
                lock(here, HOUR, HOUR).orElseThrow().extend(MINUTE, SECOND).orElseThrow();
        shorter.unlock();
        assertThat(isFreeForOthers()).isFalse();
        clock.advance(SECOND);
        assertThat(isFreeForOthers()).isTrue();
    }

    @Test
    void timesThatShedLockAllowsAndThatMeanNothingAreNoFailure() {
        lock(here, Duration.ZERO, Duration.ofSeconds(-1)).orElseThrow().unlock();
        SimpleLock forever =
                lock(here, Duration.ofSeconds(Long.MAX_VALUE), Duration.ZERO).orElseThrow();
        clock.advance(SECOND);
        forever.extend(Duration.ofSeconds(Long.MAX_VALUE), Duration.ZERO)
                .orElseThrow()
                .unlock();
        assertThat(isFreeForOthers()).isTrue();
    }

    @Test
    void aNameOfShedLockAndTheSameKeyOfAnotherLockDoNotMeet() {
        SimpleLock lock = lock(here, HOUR, Duration.ZERO).orElseThrow();
        try (LockHandle other = there.tryAcquire("job").orElseThrow()) {
            assertThat(other.isValid()).isTrue();
        }
        assertThat(there.tryAcquire(LockRequest.of("job").namespace("shedlock")))
                .isEmpty();
        assertThat(new DynamoLockProvider(there, "other-jobs").lock(job(HOUR, Duration.ZERO)))
                .hasValueSatisfying(SimpleLock::unlock);
        lock.unlock();
    }

    @Test
    void aNamespaceThatCannotBeOneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DynamoLockProvider(here, "a/b"))
                .withMessageContaining("a/b");
    }
}
