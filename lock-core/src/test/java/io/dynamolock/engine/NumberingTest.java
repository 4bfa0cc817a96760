package io.dynamolock.engine;

import static io.dynamolock.engine.Workbench.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.store.LockKey;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How callers get their tickets. */
class NumberingTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HEARTBEAT = Workbench.SETTINGS.heartbeat();

    private final Workbench bench = new Workbench();
    private final LockEngine engine = bench.engine();

    @BeforeEach
    void startTheSession() {
        LockKey warmUp = new LockKey("warm-up", "default");
        bench.grantOf(engine.acquire(new AcquireSpec(warmUp, "test", AcquireSpec.FOREVER, null, null)))
                .release();
        bench.time.settle();
        bench.store.reset();
        bench.heard.events.clear();
    }

    // Gathering

    @Test
    void thoseWhoComeDuringATryShareTheNextTickets() {
        bench.faults.next(StoreOperation.TRY_ACQUIRE, Fault.SLOW_ANSWER);
        Acquisition first = acquire();
        bench.time.settle();
        Acquisition second = acquire();
        Acquisition third = acquire();
        bench.time.settle();
        assertThat(bench.store.total()).isOne();

        bench.faults.resume();
        bench.time.settle();

        assertThat(first).matches(Cluster::isGranted);
        assertThat(bench.store.total()).isEqualTo(2);
        bench.grantOf(first).release();
        bench.grantOf(second).release();
        assertThat(bench.grantOf(third).number())
                .isEqualTo(bench.grantOf(second).number() + 1);
    }

    @Test
    void oneWhoDoesNotWaitSharesWithNobody() {
        Workbench bench = new Workbench();
        LockEngine engine = bench.engine();
        bench.faults.next(StoreOperation.CREATE_SESSION, Fault.SLOW_ANSWER);
        bench.faults.next(StoreOperation.TRY_ACQUIRE, Fault.SLOW_ANSWER);
        Acquisition hasty = engine.acquire(new AcquireSpec(KEY, "test", Duration.ZERO, null, null));
        Acquisition patient = engine.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, null));
        bench.time.settle();
        bench.faults.resume();
        bench.time.settle();

        assertThat(bench.table.lockState(KEY).tail())
                .as("one ticket only")
                .isEqualTo(bench.table.lockState(KEY).serving());
        bench.faults.resume();
        bench.time.settle();
        assertThat(hasty).matches(Cluster::isGranted);
        assertThat(patient.outcome()).isNotDone();
        bench.grantOf(hasty).release();
        assertThat(bench.grantOf(patient).number())
                .isEqualTo(bench.grantOf(hasty).number() + 1);
    }

    @Test
    void oneWhoLeftBeforeTheTakeWasSentTakesNoNumber() {
        bench.stranger(1).holds();
        long held = bench.table.lockState(KEY).tail();
        bench.faults.next(StoreOperation.TAKE_NUMBERS, Fault.SLOW_ANSWER);
        acquire();
        bench.time.settle();
        Acquisition leaving = acquire();
        bench.time.settle();
        leaving.abandon();
        bench.faults.resume();
        bench.time.settle();

        assertThat(takes()).isOne();
        assertThat(bench.table.lockState(KEY).tail()).isEqualTo(held + 1);
    }

    // Everybody leaves

    @Test
    void aTryThatWasInVainIsNotFollowedByATakeForNobody() {
        bench.stranger(1).holds();
        bench.faults.next(StoreOperation.TRY_ACQUIRE, Fault.SLOW_ANSWER);
        Acquisition leaving = acquire();
        bench.time.settle();
        leaving.abandon();
        bench.time.settle();
        bench.faults.resume();
        bench.time.settle();

        assertThat(takes()).isZero();
        assertThat(engine.locksInUse()).isZero();
    }

    @Test
    void numbersThatNobodyWaitsForAnyMoreAreNotEntered() {
        bench.stranger(1).holds();
        bench.faults.next(StoreOperation.TAKE_NUMBERS, Fault.SLOW_ANSWER);
        Acquisition leaving = acquire();
        bench.time.settle();
        leaving.abandon();
        bench.time.settle();
        bench.faults.resume();
        bench.time.settle();

        assertThat(bench.store.count(StoreOperation.ENTER)).isZero();
        assertThat(engine.locksInUse()).isZero();
    }

    @Test
    void aTryThatFailedIsNotRepeatedForNobodyAndTakenBackIfItMayHaveLanded() {
        bench.faults.next(StoreOperation.TRY_ACQUIRE, Fault.LOST_ANSWER);
        Acquisition leaving = acquire();
        bench.time.settle();
        leaving.abandon();
        bench.time.advance(SECOND);

        assertThat(bench.store.count(StoreOperation.TRY_ACQUIRE)).isOne();
        assertThat(bench.store.count(StoreOperation.RELEASE)).isOne();
        assertThat(bench.table.lockState(KEY).holder()).isNull();
        assertThat(engine.locksInUse()).isZero();
    }

    @Test
    void thoseWhoComeWhileATryIsGivenUpGoOn() {
        bench.faults.next(StoreOperation.TRY_ACQUIRE, Fault.THROTTLED);
        Acquisition leaving = acquire();
        bench.time.settle();
        Acquisition staying = acquire();
        bench.time.settle();
        leaving.abandon();
        bench.time.advance(SECOND);

        assertThat(staying).matches(Cluster::isGranted);
        assertThat(bench.store.count(StoreOperation.RELEASE))
                .as("nothing to take back")
                .isZero();
    }

    @Test
    void triesAndTakesThatFailAreRepeatedWithGrowingPauses() {
        bench.stranger(1).holds();
        for (StoreOperation operation : List.of(StoreOperation.TRY_ACQUIRE, StoreOperation.TAKE_NUMBERS)) {
            bench.faults.next(operation, Fault.THROTTLED, 2);
            Acquisition waiting = acquire();
            bench.time.settle();
            assertThat(bench.store.count(operation)).isOne();

            bench.time.advance(Duration.ofMillis(50));
            assertThat(bench.store.count(operation)).isEqualTo(2);
            bench.time.advance(Duration.ofMillis(99));
            assertThat(bench.store.count(operation)).isEqualTo(2);
            bench.time.advance(Duration.ofMillis(1));
            assertThat(bench.store.count(operation)).isEqualTo(3);
            waiting.abandon();
            bench.time.settle();
            bench.store.reset();
        }
    }

    // A session that is lost

    @Test
    void thoseWhoLoseTheSessionKeepTheirOrder() {
        Workbench.Stranger holder = bench.stranger(1).holds();
        bench.time.advance(HEARTBEAT.minusSeconds(1));
        Acquisition queued = acquire();
        bench.time.settle();
        SessionId own = bench.table.rows(KEY).get(0).claimant().session();
        bench.faults.next(StoreOperation.TAKE_NUMBERS, Fault.STALLS);
        Acquisition numbering = acquire();
        bench.time.settle();
        Acquisition gathering = acquire();
        bench.time.settle();

        loseTheSession(own);
        bench.time.advance(SECOND);
        holder.releases();
        bench.time.advance(SECOND);

        Grant first = bench.grantOf(queued);
        first.release();
        Grant second = bench.grantOf(numbering);
        second.release();
        Grant third = bench.grantOf(gathering);
        assertThat(second.number()).isEqualTo(first.number() + 1);
        assertThat(third.number()).isEqualTo(second.number() + 1);
    }

    @Test
    void theAnswerToATryOfALostSessionMeansNothing() {
        Grant warm = bench.grantOf(engine.acquire(
                new AcquireSpec(new LockKey("warm-up", "default"), "test", AcquireSpec.FOREVER, null, null)));
        SessionId own = bench.table
                .lockState(new LockKey("warm-up", "default"))
                .holder()
                .session();
        bench.time.advance(HEARTBEAT.minusSeconds(1));
        bench.faults.next(StoreOperation.TRY_ACQUIRE, Fault.STALLS, 2);
        Acquisition first = acquire();
        bench.time.settle();
        loseTheSession(own);
        bench.time.settle();
        Acquisition second = acquire();
        bench.time.settle();
        assertThat(bench.faults.stalledCalls()).isEqualTo(2);

        bench.faults.resume();
        bench.time.advance(SECOND);

        assertThat(warm.isValid()).isFalse();
        assertThat(bench.store.count(StoreOperation.RELEASE)).isZero();
        Grant one = bench.grantOf(first);
        one.release();
        assertThat(bench.grantOf(second).number()).isGreaterThan(one.number());
    }

    @Test
    void oneWhoLosesTheSessionAndLeavesBeforeTheNextIsForgotten() {
        bench.stranger(1).holds();
        Acquisition waiting = acquire();
        bench.time.settle();
        bench.faults.always(StoreOperation.CREATE_SESSION, Fault.THROTTLED);
        loseTheSession(bench.table.rows(KEY).get(0).claimant().session());

        waiting.abandon();
        bench.time.settle();

        assertThat(engine.locksInUse()).isZero();
        assertThat(bench.table.rowCount()).isZero();
        bench.time.advance(SECOND);
        bench.store.reset();
        bench.time.advance(Duration.ofMinutes(1));
        assertThat(bench.store.count(StoreOperation.CREATE_SESSION)).isZero();
        assertThat(bench.store.polls()).isZero();
    }

    @Test
    void aTryThatFailedUnderASessionThatIsLostIsNotRepeatedUnderIt() {
        bench.faults.always(StoreOperation.TRY_ACQUIRE, Fault.THROTTLED);
        Acquisition waiting = acquire();
        bench.time.advance(HEARTBEAT);
        SessionId own = bench.table.sessions().iterator().next();
        loseTheSession(own);
        bench.time.settle();
        bench.faults.heal();
        bench.store.reset();
        bench.time.advance(Duration.ofSeconds(2));

        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(bench.store.count(StoreOperation.TRY_ACQUIRE)).isOne();
    }

    /** With the next heartbeat. */
    private void loseTheSession(SessionId session) {
        bench.table.endSession(session);
        assertThat(bench.time.advanceUntil(() -> bench.heard.events.contains("session lost"), HEARTBEAT))
                .isTrue();
    }

    private Acquisition acquire() {
        return engine.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, null));
    }

    private int takes() {
        return bench.store.count(StoreOperation.TAKE_NUMBERS);
    }
}
