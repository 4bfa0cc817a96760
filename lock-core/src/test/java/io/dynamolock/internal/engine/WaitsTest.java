package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is served when, and what listeners hear of it. */
class WaitsTest {

    private final Bench bench = new Bench();

    @Test
    void grantsComeInTheOrderOfTicketsAcrossProcesses() {
        LockEngine first = bench.processThatHasUsedTheLock();
        LockEngine second = bench.processWithSession();
        Grant held = bench.grant(first);
        List<Long> tickets = new ArrayList<>();
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            int caller = i;
            (i % 2 == 0 ? first : second)
                    .acquire(Bench.waitingForever())
                    .outcome()
                    .thenAccept(outcome -> {
                        Grant grant = ((AcquireOutcome.Granted) outcome).grant();
                        tickets.add(grant.ticket());
                        order.add(caller);
                        bench.time.inMillis(3, () -> grant.release(null));
                    });
            bench.advanceMillis(60);
        }

        bench.release(held);
        bench.time.advanceUntil(() -> order.size() == 30, Duration.ofMinutes(1));

        assertThat(order).isEqualTo(IntStream.range(0, 30).boxed().toList());
        assertThat(tickets).isSorted().doesNotHaveDuplicates();
        assertThat(tickets.get(0)).isGreaterThan(held.ticket());
    }

    @Test
    void aCallerThatTimesOutIsToldHowManyAreAheadAndWhoHoldsTheLock() {
        bench.grant(bench.processThatHasUsedTheLock());
        LockEngine process = bench.processWithSession();
        for (long waitMillis : new long[] {0, 1, 3_000}) {
            Acquisition waiting =
                    bench.acquire(process, Bench.exclusive(Duration.ofMillis(waitMillis)), waitMillis + 100);

            assertThat(waiting.outcome().join()).isInstanceOfSatisfying(AcquireOutcome.TimedOut.class, outcome -> {
                assertThat(outcome.ahead()).isOne();
                assertThat(outcome.holder()).isNotNull();
            });
        }
    }

    @Test
    void aFiniteWaitEndsOnTimeAndAnInfiniteOneNever() {
        Grant held = bench.grant(bench.processThatHasUsedTheLock());
        LockEngine process = bench.processWithSession();
        Acquisition patient = process.acquire(Bench.waitingForever());
        for (long millis : new long[] {8, 50, 3_000}) {
            bench.advanceMillis(1_000);
            Acquisition finite = process.acquire(Bench.exclusive(Duration.ofMillis(millis)));
            bench.time.advance(Duration.ofMillis(millis).minusNanos(1));
            assertThat(finite.outcome()).isNotDone();
            bench.time.advance(Duration.ofNanos(1));
            assertThat(finite.outcome().join()).isInstanceOf(AcquireOutcome.TimedOut.class);
        }
        bench.time.advance(Duration.ofHours(2));
        assertThat(patient.outcome()).isNotDone();
        bench.release(held);

        assertThat(bench.granted(patient).isValid()).isTrue();
    }

    @ParameterizedTest(name = "{0} ns, and whether or not the session has begun")
    @ValueSource(longs = {0, 1, 1_000, 1_000_000, 2_000_000, 5_000_000, 50_000_000})
    void anyWaitGetsAFreeLockEveryTime(long nanos) {
        LockEngine process = bench.processThatHasUsedTheLock();
        for (int i = 0; i < 50; i++) {
            LockEngine next = i % 2 == 0 ? process : bench.process();
            Acquisition brief = bench.acquire(
                    next, Bench.exclusive(new LockKey("key-" + i % 7, "default"), Duration.ofNanos(nanos)), 20);
            bench.release(Acquisitions.grant(brief));
            bench.advanceMillis(20);
        }
    }

    @Test
    void aWaiterThatLeavesLetsTheNextPassAndTakesNobodyAlong() {
        Grant held = bench.grant(bench.processThatHasUsedTheLock());
        LockEngine process = bench.processWithSession();
        Acquisition leaving = process.acquire(Bench.exclusive());
        Acquisition staying = bench.acquire(process);
        LockEngine third = bench.processWithSession();
        Acquisition alone = bench.acquire(third);
        Acquisition last = bench.acquire(bench.processWithSession());

        leaving.abandon();
        alone.abandon();
        bench.advanceMillis(100);
        assertThat(bench.queue()).hasSize(3);
        bench.release(held);
        bench.release(bench.granted(staying));

        assertThat(bench.granted(last).isValid()).isTrue();
    }

    @ParameterizedTest(name = "a wait of {0} ms has an entry after {1} ms")
    @CsvSource({"60000, 60", "40, 18"})
    void aCallerDuringALongTurnIsHeldBackForAtMostAMomentOrAQuarterOfItsWait(long waitMillis, long mostMillis) {
        LockEngine process = bench.processThatHasUsedTheLock();
        Grant first = bench.grant(process);
        Acquisition second = bench.acquire(process);
        bench.acquire(bench.processWithSession());
        bench.release(first);
        assertThat(second).matches(Acquisitions::isGranted);

        bench.acquire(process, Bench.exclusive(Duration.ofMillis(waitMillis)), mostMillis);

        List<Entry> queue = bench.queue();
        assertThat(queue.get(queue.size() - 1).session())
                .isEqualTo(process.session().orElseThrow().id());
    }

    @Test
    void listenersHearHowManyWereAheadAndHowLongCallersWaitedAndHeld() {
        LockEngine process = bench.processThatHasUsedTheLock();
        Grant first = bench.grant(process);
        bench.machineOf(process).forgetEvents();
        process.acquire(Bench.exclusive(Duration.ofSeconds(1)));
        Acquisition leaving = process.acquire(Bench.exclusive());
        Acquisition next = bench.acquire(process, Bench.exclusive(), 2_000);
        assertThat(process.waiting()).isEqualTo(2);
        leaving.abandon();
        leaving.abandon();
        assertThat(process.waiting()).isOne();
        bench.advanceMillis(1_000);
        first.release(null);
        bench.advanceMillis(0);
        Grant second = Acquisitions.grant(next);
        bench.advanceMillis(4_000);
        second.release(null);
        bench.advanceMillis(100);

        assertThat(bench.machineOf(process).events())
                .containsExactly(
                        "queued behind 1",
                        "queued behind 2",
                        "queued behind 3",
                        "timed out after PT1S",
                        "abandoned after PT2S",
                        "acquired in the queue",
                        "released after PT3S",
                        "released after PT4S");
    }

    @Test
    void theLongestHeldLockIsListedFirst() {
        LockEngine process = bench.processThatHasUsedTheLock();
        List<Grant> grants = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            LockKey key = new LockKey("key-" + i, "default");
            grants.add(bench.granted(process.acquire(Bench.exclusive(key, AcquireSpec.FOREVER))));
            bench.advanceMillis(1_000);
        }
        grants.remove(2).release(null);

        assertThat(process.held()).extracting(held -> held.key().key()).containsExactly("key-0", "key-1", "key-3");
        assertThat(process.held(new LockKey("key-1", "default"))).containsExactly(grants.get(1));
    }

    @Test
    void callsUnderWayAreBoundedAndInspectionsDelayNoCaller() {
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.network.alwaysExceptForHeartbeats(Fate.STALLED);
        for (int i = 0; i < 200; i++) {
            process.inspect(new LockKey("key-" + i, "default"));
            process.list("key-" + i, null);
        }
        bench.advanceMillis(20);
        assertThat(bench.network.heldUp()).isEqualTo(EngineSettings.READS_FOR_PEOPLE);
        bench.network.resetCounts();
        for (int i = 0; i < 200; i++) {
            process.acquire(Bench.exclusive(new LockKey("key-" + i, "default"), AcquireSpec.FOREVER));
        }
        bench.advanceMillis(20);

        assertThat(bench.network.count(Call.EDIT))
                .as("the rest of the room is kept for reads of locks and of sessions")
                .isBetween(Bench.MAX_CALLS * 3 / 4, Bench.MAX_CALLS - 2);
        bench.advanceMillis(1_000);
        assertThat(bench.network.count(Call.READ)).isPositive();
        assertThat(bench.network.heldUp()).isLessThanOrEqualTo(EngineSettings.READS_FOR_PEOPLE + Bench.MAX_CALLS);
    }
}
