package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.LockItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of callers when there is no room for another entry, or little. */
class FullQueueTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Bench bench = new Bench();

    @BeforeEach
    void makeRoomForFour() {
        bench.setMaxQueue(4);
    }

    @Test
    void finishedReadersOfOtherProcessesLeaveRoomForAReaderThatDoesNotWait() {
        LockEngine process = bench.processWithSession();
        LockEngine other = bench.processWithSession();
        bench.granted(process.acquire(Bench.spec(Kind.READ, MINUTE)));
        bench.granted(other.acquire(Bench.spec(Kind.READ, MINUTE)));
        for (int i = 0; i < 10; i++) {
            bench.release(bench.granted(bench.acquire(process, Bench.spec(Kind.READ, Duration.ZERO))));
            bench.advanceMillis(100);
        }

        assertThat(Acquisitions.isGranted(bench.acquire(other, Bench.spec(Kind.READ, Duration.ZERO))))
                .isTrue();
    }

    // Callers that wait without an entry, since the queue is full

    @Test
    void aCallerThatFindsNoRoomAppendsInVainOnceAndGetsInWhenThereIsRoom() {
        List<Acquisition> queue = fill();
        LockEngine late = bench.processWithSession();
        Acquisition outside = late.acquire(Bench.waitingForever());
        Acquisition brief = late.acquire(Bench.exclusive(Duration.ofSeconds(3)));
        bench.time.advance(MINUTE);
        assertThat(bench.network.writes()).isOne();
        assertThat(bench.network.consistentReads())
                .as("at most one a second for each of the four processes that wait")
                .isLessThanOrEqualTo(240);
        assertThat(brief.outcome().join()).isInstanceOf(AcquireOutcome.TimedOut.class);
        assertThat(item().queue()).hasSize(4);

        queue.remove(1).abandon();
        bench.advanceMillis(4_000);
        assertThat(item().queue()).as("with the caller that has got in").hasSize(4);
        serve(queue);

        assertThat(isGrantedWithin(5, outside)).isTrue();
    }

    @Test
    void callersOutsideTheQueueReadRarelyBehindLongHolds() {
        fill();
        LockEngine late = bench.processWithSession();
        late.acquire(Bench.waitingForever());
        bench.time.advance(MINUTE.multipliedBy(2));
        bench.network.resetCounts();
        bench.advanceMillis(12_000);

        assertThat(bench.network.reads())
                .as("four a second for each of the four processes that wait, for 12 seconds")
                .isBetween(4 * 4 * 12 - 4, 4 * 4 * 12 + 4);
    }

    @Test
    void allCallersOfAProcessThatWaitOutsideGetInTogether() {
        List<Acquisition> queue = fill();
        LockEngine late = bench.processWithSession();
        List<Acquisition> outside = Acquisitions.start(late, 30, Bench.waitingForever());
        bench.advanceMillis(1_000);
        bench.network.resetCounts();
        serve(queue);
        serve(new ArrayList<>(outside));
        bench.advanceMillis(10_000);

        assertThat(outside).allMatch(Acquisitions::isGranted);
        assertThat(item().queue()).isEmpty();
        assertThat(bench.network.writes())
                .as("four removals, then one append and one removal")
                .isEqualTo(4 + 2);
    }

    @Test
    void eachCallerThatFindsTheQueueFullIsToldOnceHowManyAreAhead() {
        List<Acquisition> queue = fill();
        List<String> told = new ArrayList<>();
        LockEngine late = bench.process(new NoOpEngineListener() {
            @Override
            public void queued(AcquireSpec spec, long ticket, long ahead) {
                told.add("queued");
            }

            @Override
            public void foundFull(AcquireSpec spec, long ahead) {
                told.add("full, behind " + ahead);
            }

            @Override
            public void ended(AcquireSpec spec, AcquireOutcome how, Duration waited, boolean wasQueued) {
                told.add(how.getClass().getSimpleName() + ", queued: " + wasQueued);
            }
        });
        late.acquire(Bench.exclusive(Duration.ZERO));
        bench.time.advance(MINUTE);
        assertThat(told).as("a caller that does not wait").containsExactly("TimedOut, queued: false");
        told.clear();
        late.acquire(Bench.exclusive(MINUTE));
        Acquisition outside = late.acquire(Bench.waitingForever());
        bench.advanceMillis(61_000);

        assertThat(told).containsExactly("full, behind 4", "full, behind 5", "TimedOut, queued: true");
        serve(queue);
        assertThat(isGrantedWithin(5, outside)).isTrue();
        assertThat(told).endsWith("Granted, queued: true");
    }

    @Test
    void callersInsideAFullQueueAreNotToldThatItIsFull() {
        List<Long> told = new ArrayList<>();
        EngineListener listener = new NoOpEngineListener() {
            @Override
            public void foundFull(AcquireSpec spec, long ahead) {
                told.add(ahead);
            }
        };
        for (int i = 0; i < 4; i++) {
            bench.process(listener).acquire(Bench.waitingForever());
            bench.advanceMillis(1_000);
        }
        bench.time.advance(MINUTE);

        assertThat(item().queue()).hasSize(4);
        assertThat(told).isEmpty();
    }

    // Dead processes

    @Test
    void aCallerOutsideAQueueFullOfDeadProcessesGetsIn() {
        List<LockEngine> processes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            processes.add(bench.processWithSession());
            processes.get(i).acquire(Bench.waitingForever());
            bench.advanceMillis(100);
        }
        Acquisition outside = bench.acquire(bench.processWithSession(), Bench.waitingForever(), 1_000);
        processes.forEach(process -> bench.machineOf(process).loop.die());

        assertThat(isGrantedWithin(50, outside)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aCallerThatDoesNotWaitGetsInWhenAllInTheFullQueueAreDead(Kind kind) {
        LockEngine dead = bench.processThatHasUsedTheLock();
        permits(dead, 4);
        bench.killLatestProcess();
        LockEngine process = bench.processWithSession();

        assertThat(isGrantedByTrying(process, kind)).isTrue();
    }

    // Callers that do not wait

    @Test
    void aReaderThatDoesNotWaitHearsAtOnceThatReadersFillTheQueue() {
        for (int i = 0; i < 4; i++) {
            bench.granted(bench.processWithSession().acquire(Bench.spec(Kind.READ, MINUTE)));
        }

        Acquisition hasty = bench.processWithSession().acquire(Bench.spec(Kind.READ, Duration.ZERO));
        bench.advanceMillis(100);

        assertThat(hasty.outcome().getNow(null)).isInstanceOf(AcquireOutcome.TimedOut.class);
    }

    @Test
    void oneAnswerTellsAHundredCallersThatDoNotWaitThatTheQueueIsFull() {
        permits(bench.processWithSession(), 4);
        LockEngine process = bench.processWithSession();

        List<Acquisition> hasty = Acquisitions.start(process, 100, permit(Duration.ZERO));
        bench.advanceMillis(50);

        assertThat(hasty).allMatch(acquisition -> acquisition.outcome().join() instanceof AcquireOutcome.TimedOut);
        assertThat(bench.network.writes()).isOne();
        assertThat(item().queue()).hasSize(4);
    }

    @Test
    void aCallerThatDoesNotWaitIsAnsweredSoonThoughItsProcessWaitsOutside() {
        permits(bench.processWithSession(), 3);
        LockEngine process = bench.processWithSession();
        bench.granted(process.acquire(permit(MINUTE)));
        Acquisition patient = process.acquire(permit(MINUTE));

        Acquisition hasty = bench.acquire(process, permit(Duration.ZERO), 200);

        assertThat(hasty.outcome().join()).isInstanceOf(AcquireOutcome.TimedOut.class);
        assertThat(patient.outcome()).isNotDone();
    }

    // A queue that is half full

    @Test
    void aProcessHasOnlyOneWaitingEntryWhileTheQueueIsHalfFull() {
        bench.setMaxQueue(10);
        bench.grant(bench.processWithSession());
        LockEngine process = bench.processWithSession();
        LockEngine other = bench.processWithSession();
        for (LockEngine next : List.of(process, other, process, other)) {
            bench.acquire(next, Bench.waitingForever());
        }
        assertThat(item().queue()).hasSize(5);
        LockEngine third = bench.processWithSession();
        third.acquire(Bench.waitingForever());
        Acquisition leaving = bench.acquire(bench.processWithSession(), Bench.waitingForever(), 2_000);
        assertThat(item().queue()).hasSize(7);

        bench.acquire(third, Bench.waitingForever(), 2_000);
        assertThat(item().queue())
                .as("the other caller of the third process is held back")
                .hasSize(7);
        leaving.abandon();
        other.pause();
        process.pause();
        bench.advanceMillis(3_000);

        assertThat(item().queue()).as("less than half is taken").hasSize(3);
    }

    /** Fills the queue: one process holds the lock, and three others wait behind it. */
    private List<Acquisition> fill() {
        List<Acquisition> queue = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            queue.add(bench.acquire(bench.processWithSession(), Bench.waitingForever()));
        }
        assertThat(item().queue()).hasSize(4);
        return queue;
    }

    /** Lets each caller release the lock as soon as it has it. */
    private static void serve(List<Acquisition> acquisitions) {
        acquisitions.forEach(acquisition -> acquisition
                .outcome()
                .thenAccept(
                        outcome -> ((AcquireOutcome.Granted) outcome).grant().release(null)));
    }

    private LockItem item() {
        return bench.table.lock(Bench.KEY);
    }

    private boolean isGrantedWithin(long seconds, Acquisition waiting) {
        bench.time.advanceUntil(waiting.outcome()::isDone, Duration.ofSeconds(seconds));
        return Acquisitions.isGranted(waiting);
    }

    /** Whether one of many tries gets the lock: one try a second, for a lease and a few seconds. */
    private boolean isGrantedByTrying(LockEngine process, Kind kind) {
        for (int i = 0; i < 25; i++) {
            Acquisition tried = bench.acquire(
                    process, kind == Kind.PERMIT ? permit(Duration.ZERO) : Bench.spec(kind, Duration.ZERO), 1_000);
            if (Acquisitions.isGranted(tried)) {
                return true;
            }
            assertThat(tried.outcome().join()).isInstanceOf(AcquireOutcome.TimedOut.class);
        }
        return false;
    }

    private void permits(LockEngine process, int count) {
        for (int i = 0; i < count; i++) {
            bench.granted(process.acquire(permit(MINUTE)));
        }
    }

    private static AcquireSpec permit(Duration wait) {
        return Specs.as(Kind.PERMIT, Bench.KEY).permits(4).waiting(wait).spec();
    }
}
