package io.dynamolock.engine;

import static io.dynamolock.engine.Workbench.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.store.LockKey;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rows that a process has in a queue: when they are written, and that none is left behind. */
class WaiterRowsTest {

    private static final Duration HEARTBEAT = Workbench.SETTINGS.heartbeat();
    private static final Duration MILLI = Duration.ofMillis(1);

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

    // Entries that fail

    @Test
    void anEntryThatFailsIsRepeatedWithGrowingPauses() {
        bench.stranger(1).holds();
        bench.faults.next(StoreOperation.ENTER, Fault.THROTTLED, 3);
        acquire();
        bench.time.settle();
        assertThat(entries()).isOne();

        bench.time.advance(Duration.ofMillis(50));
        assertThat(entries()).isEqualTo(2);
        bench.time.advance(Duration.ofMillis(99));
        assertThat(entries()).isEqualTo(2);
        bench.time.advance(MILLI);
        assertThat(entries()).isEqualTo(3);
        bench.time.advance(Duration.ofMillis(199));
        assertThat(entries()).isEqualTo(3);
        bench.time.advance(MILLI);

        assertThat(entries()).isEqualTo(4);
        assertThat(bench.table.rowCount()).isOne();
    }

    @Test
    void anEntryIsNotRepeatedForNobody() {
        bench.stranger(1).holds();
        bench.faults.next(StoreOperation.ENTER, Fault.LOST_ANSWER);
        Acquisition waiting = acquire();
        bench.time.settle();

        waiting.abandon();
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(entries()).isOne();
        assertThat(bench.table.rowCount()).isZero();
        assertThat(engine.locksInUse()).isZero();
    }

    @Test
    void anEntryThatGotThroughInTheEndIsNotWhyAWaitWasInVain() {
        bench.grantOf(acquire());
        bench.stranger(1).queues(1);
        bench.faults.next(StoreOperation.ENTER, Fault.THROTTLED);
        Acquisition waiting = engine.acquire(new AcquireSpec(KEY, "test", Duration.ofSeconds(1), null, null));
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(entries()).isEqualTo(2);
        assertThat(waiting).matches(Cluster::isTimedOut);
    }

    // Entries that stand in for another row

    @Test
    void aRowThatAnotherWasToStandInForGoesIfNobodyNeedsThat() {
        bench.stranger(1).holds();
        Acquisition second = oneLeavesAndTheNextEnters(Fault.THROTTLED);

        second.abandon();
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(bench.table.rowCount()).isZero();
        assertThat(engine.locksInUse()).isZero();
    }

    @Test
    void aRowThatAnotherWasToStandInForGoesIfThatIsRefused() {
        bench.stranger(1).holds();

        Acquisition second = oneLeavesAndTheNextEnters(Fault.REFUSED);

        assertThat(second.outcome().getNow(null)).isInstanceOf(AcquireOutcome.Failed.class);
        assertThat(bench.table.rowCount()).isZero();
        assertThat(engine.locksInUse()).isZero();
    }

    @Test
    void rowsGoThoughTheSessionIsLostBeforeAnEntryIsAnswered() {
        bench.stranger(1).holds();
        bench.time.advance(HEARTBEAT.minusSeconds(1));
        Acquisition second = oneLeavesAndTheNextEnters(Fault.STALLS);
        loseTheSession();
        second.abandon();
        bench.time.settle();
        bench.faults.resume();
        bench.time.settle();

        assertThat(bench.table.rowCount()).isZero();
    }

    @Test
    void rowsGoThoughTheSessionIsLostBeforeAnEntryFails() {
        bench.stranger(1).holds();
        bench.time.advance(HEARTBEAT.minusSeconds(1));
        Acquisition second = oneLeavesAndTheNextEnters(Fault.STALLS);
        loseTheSession();
        second.abandon();
        bench.time.settle();
        bench.store.reset();
        bench.time.advance(Workbench.SETTINGS.callTimeout());

        assertThat(bench.table.rowCount()).isZero();
        assertThat(bench.store.count(StoreOperation.DELETE_ROW))
                .as("that of the first, and that of the second, which may have landed after it was deleted")
                .isEqualTo(2);
    }

    @Test
    void rowsGoThoughTheSessionIsLostBeforeAnEntryIsRepeated() {
        bench.stranger(1).holds();
        bench.time.advance(HEARTBEAT.minusMillis(10));
        Acquisition second = oneLeavesAndTheNextEnters(Fault.THROTTLED);
        loseTheSession();
        second.abandon();
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(bench.table.rowCount()).isZero();
        assertThat(bench.store.count(StoreOperation.ENTER)).isEqualTo(2);
    }

    // Rows of those who wait for days

    @Test
    void aRowIsWrittenAgainLongBeforeTheTablesTtlTakesIt() {
        Workbench bench = new Workbench();
        LockEngine engine = waitsForDays(bench);
        engine.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, null));
        bench.time.settle();
        assertThat(bench.store.count(StoreOperation.ENTER)).isOne();

        // With the first look after a minute, at the latest.
        Duration poll = Workbench.SETTINGS.pollMax();
        bench.time.advance(Duration.ofMinutes(1).minusNanos(1));
        assertThat(bench.store.count(StoreOperation.ENTER)).isOne();
        bench.time.advance(poll);
        assertThat(bench.store.count(StoreOperation.ENTER)).isEqualTo(2);
        bench.time.advance(Duration.ofMinutes(1).minus(poll));
        assertThat(bench.store.count(StoreOperation.ENTER)).isEqualTo(2);
        bench.time.advance(poll.multipliedBy(2));

        assertThat(bench.store.count(StoreOperation.ENTER)).isEqualTo(3);
        assertThat(bench.table.rowCount()).isOne();
    }

    @Test
    void aRowThatIsWrittenAgainAfterItsOwnerLeftIsDeleted() {
        Workbench bench = new Workbench();
        LockEngine engine = waitsForDays(bench);
        Acquisition waiting = engine.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, null));
        bench.time.advance(Duration.ofMinutes(1).minusNanos(1));
        bench.faults.next(StoreOperation.ENTER, Fault.STALLS);
        bench.time.advance(Duration.ofNanos(1));
        waiting.abandon();
        bench.time.settle();

        bench.faults.resume();
        bench.time.settle();

        assertThat(bench.table.rowCount()).isZero();
    }

    @Test
    void aRowIsDeletedOnce() {
        Workbench.Stranger holder = bench.stranger(1).holds();
        Acquisition waiting = acquire();
        bench.time.settle();
        holder.releases();
        bench.time.advance(Duration.ofSeconds(1));
        assertThat(waiting).matches(Cluster::isGranted);

        SessionId own = bench.table.lockState(KEY).holder().session();
        bench.table.endSession(own);
        bench.time.advance(HEARTBEAT);

        assertThat(bench.heard.events).contains("session lost");
        assertThat(bench.store.count(StoreOperation.DELETE_ROW)).isOne();
    }

    /** Two blocks wait; the first leaves, and the entry of the second, which had no row until then, meets the fault. */
    private Acquisition oneLeavesAndTheNextEnters(Fault fault) {
        Acquisition first = acquire();
        bench.time.settle();
        Acquisition second = acquire();
        bench.time.settle();
        bench.faults.next(StoreOperation.ENTER, fault);
        first.abandon();
        bench.time.settle();
        assertThat(entries()).isEqualTo(2);
        return second;
    }

    /** With the next heartbeat. */
    private void loseTheSession() {
        bench.table.endSession(bench.table.rows(KEY).get(0).claimant().session());
        assertThat(bench.time.advanceUntil(() -> bench.heard.events.contains("session lost"), HEARTBEAT))
                .isTrue();
    }

    /** The lock is held by a process that lives for a day without a beat. */
    private static LockEngine waitsForDays(Workbench bench) {
        bench.time.advance(Duration.ofHours(1));
        bench.table.createSession(Workbench.sessionId(1), Duration.ofDays(1), "stranger", bench.time.now());
        bench.stranger(1).holds();
        return bench.engine(
                new Workbench.Settings().retention(Duration.ofMinutes(2)).build());
    }

    private Acquisition acquire() {
        return engine.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, null));
    }

    private int entries() {
        return bench.store.count(StoreOperation.ENTER);
    }
}
