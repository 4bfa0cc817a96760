package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.LockEngine;
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
        bench.maxQueue = 4;
    }

    @Test
    void finishedReadersOfOthersLeaveRoomForWhoDoesNotWait() {
        LockEngine process = bench.begunBeside();
        LockEngine other = bench.begunBeside();
        bench.granted(process.acquire(Bench.spec(Kind.READ, MINUTE)));
        bench.granted(other.acquire(Bench.spec(Kind.READ, MINUTE)));
        for (int i = 0; i < 10; i++) {
            bench.release(bench.granted(bench.acquire(process, Bench.spec(Kind.READ, Duration.ZERO))));
            bench.advance(100);
        }

        assertThat(Bench.isGranted(bench.acquire(other, Bench.spec(Kind.READ, Duration.ZERO))))
                .isTrue();
    }

    // Waits outside

    @Test
    void whoFindsNoRoomGetsInWhenThereIsAndHasAppendedInVainOnce() {
        List<Acquisition> queue = fill();
        LockEngine late = bench.begunBeside();
        Acquisition outside = late.acquire(Bench.forever());
        Acquisition brief = late.acquire(Bench.exclusive(Duration.ofSeconds(3)));
        bench.time.advance(MINUTE);
        assertThat(bench.writes).isOne();
        assertThat(bench.consistentReads).isZero();
        assertThat(brief.outcome().join()).isInstanceOf(AcquireOutcome.TimedOut.class);
        assertThat(item().queue()).hasSize(4);

        queue.remove(1).abandon();
        bench.advance(4_000);
        assertThat(item().queue()).as("it has got in").hasSize(4);
        serve(queue);

        assertThat(isGrantedWithin(5, outside)).isTrue();
    }

    @Test
    void readsOutsideAreRareBehindLongHolds() {
        fill();
        LockEngine late = bench.begunBeside();
        late.acquire(Bench.forever());
        bench.time.advance(MINUTE.multipliedBy(2));
        bench.reset();
        bench.advance(12_000);

        assertThat(bench.reads).as("one a second of each of the four that wait").isBetween(40, 56);
    }

    @Test
    void allWhoWaitOutsideOfOneProcessGetInTogether() {
        List<Acquisition> queue = fill();
        LockEngine late = bench.begunBeside();
        List<Acquisition> outside = Bench.callers(late, 30, Bench.forever());
        bench.advance(1_000);
        bench.reset();
        serve(queue);
        serve(new ArrayList<>(outside));
        bench.advance(10_000);

        assertThat(outside).allMatch(Bench::isGranted);
        assertThat(item().queue()).isEmpty();
        assertThat(bench.writes).as("four leave, one comes and goes").isEqualTo(4 + 2);
    }

    // The dead

    @Test
    void whoWaitsOutsideOfAQueueOfTheDeadGetsIn() {
        List<LockEngine> processes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            processes.add(bench.begunBeside());
            processes.get(i).acquire(Bench.forever());
            bench.advance(100);
        }
        Acquisition outside = bench.acquire(bench.begunBeside(), Bench.forever(), 1_000);
        processes.forEach(process -> bench.of(process).loop.die());

        assertThat(isGrantedWithin(50, outside)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void whoDoesNotWaitGetsInWhenAllWhoFillTheQueueAreDead(Kind kind) {
        LockEngine dead = bench.begun();
        permits(dead, 4);
        bench.die();
        LockEngine process = bench.begunBeside();

        assertThat(isGrantedByTrying(process, kind)).isTrue();
    }

    // Those who do not wait

    @Test
    void aReaderThatDoesNotWaitHearsAtOnceThatReadersFillTheQueue() {
        for (int i = 0; i < 4; i++) {
            bench.granted(bench.begunBeside().acquire(Bench.spec(Kind.READ, MINUTE)));
        }

        Acquisition hasty = bench.begunBeside().acquire(Bench.spec(Kind.READ, Duration.ZERO));
        bench.advance(100);

        assertThat(hasty.outcome().getNow(null)).isInstanceOf(AcquireOutcome.TimedOut.class);
    }

    @Test
    void aHundredThatDoNotWaitHearByOneAnswerThatAllWhoFillTheQueueLive() {
        permits(bench.begunBeside(), 4);
        LockEngine process = bench.begunBeside();

        List<Acquisition> hasty = Bench.callers(process, 100, permit(Duration.ZERO));
        bench.advance(50);

        assertThat(hasty).allMatch(each -> each.outcome().join() instanceof AcquireOutcome.TimedOut);
        assertThat(bench.writes).isOne();
        assertThat(item().queue()).hasSize(4);
    }

    @Test
    void whoDoesNotWaitIsToldSoonThoughAnotherOfItsProcessWaitsOutside() {
        permits(bench.begunBeside(), 3);
        LockEngine process = bench.begunBeside();
        bench.granted(process.acquire(permit(MINUTE)));
        Acquisition patient = process.acquire(permit(MINUTE));

        Acquisition hasty = bench.acquire(process, permit(Duration.ZERO), 200);

        assertThat(hasty.outcome().join()).isInstanceOf(AcquireOutcome.TimedOut.class);
        assertThat(patient.outcome()).isNotDone();
    }

    // Little room

    @Test
    void whileHalfOfTheRoomIsTakenAProcessHasOneWaitingEntryElseOneBehindEachOther() {
        bench.maxQueue = 10;
        bench.grant(bench.begunBeside());
        LockEngine process = bench.begunBeside();
        LockEngine other = bench.begunBeside();
        for (LockEngine next : List.of(process, other, process, other)) {
            bench.acquire(next, Bench.forever());
        }
        assertThat(item().queue()).hasSize(5);
        LockEngine third = bench.begunBeside();
        third.acquire(Bench.forever());
        Acquisition leaving = bench.acquire(bench.begunBeside(), Bench.forever(), 2_000);
        assertThat(item().queue()).hasSize(7);

        bench.acquire(third, Bench.forever(), 2_000);
        assertThat(item().queue()).as("the further caller gathers").hasSize(7);
        leaving.abandon();
        other.pause();
        process.pause();
        bench.advance(3_000);

        assertThat(item().queue()).as("less than half is taken").hasSize(3);
    }

    /** One process holds the lock, others wait in all places behind it. */
    private List<Acquisition> fill() {
        List<Acquisition> queue = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            queue.add(bench.acquire(bench.begunBeside(), Bench.forever()));
        }
        assertThat(item().queue()).hasSize(4);
        return queue;
    }

    /** Each gives the lock back as soon as it has it. */
    private static void serve(List<Acquisition> acquisitions) {
        acquisitions.forEach(each -> each.outcome()
                .thenAccept(
                        outcome -> ((AcquireOutcome.Granted) outcome).grant().release(null)));
    }

    private LockItem item() {
        return bench.table.lock(Bench.KEY);
    }

    private boolean isGrantedWithin(long seconds, Acquisition waiting) {
        bench.time.advanceUntil(waiting.outcome()::isDone, Duration.ofSeconds(seconds));
        return Bench.isGranted(waiting);
    }

    /** Tries once a second, for a lease and a few seconds. */
    private boolean isGrantedByTrying(LockEngine process, Kind kind) {
        for (int i = 0; i < 25; i++) {
            Acquisition tried = bench.acquire(
                    process, kind == Kind.PERMIT ? permit(Duration.ZERO) : Bench.spec(kind, Duration.ZERO), 1_000);
            if (Bench.isGranted(tried)) {
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
