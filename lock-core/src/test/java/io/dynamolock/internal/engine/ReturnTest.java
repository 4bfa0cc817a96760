package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An outage that lasts longer than a lease costs little, and its end is noticed soon. */
class ReturnTest {

    private static final Duration OUTAGE = Duration.ofMinutes(2);

    private final Bench bench = new Bench();

    @Test
    void anOutageCostsAProcessAboutOneWriteASecondOfSessions() {
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.network.always(Fate.REFUSED_CONNECTION);
        process.acquire(Bench.waitingForever());
        bench.time.advance(OUTAGE);
        bench.network.resetCounts();

        bench.time.advance(Duration.ofSeconds(100));

        assertThat(bench.network.count(Call.BEGIN)).isBetween(90, 140);
        assertThat(bench.network.count(Call.END)).as("of the lost session").isLessThanOrEqualTo(25);
    }

    @Test
    void processesDoNotBeginTheirSessionsInStep() {
        bench.network.always(Fate.REFUSED_CONNECTION);
        List<LockEngine> processes = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            processes.add(bench.process());
        }
        processes.forEach(process -> process.acquire(Bench.waitingForever()));
        bench.time.advance(OUTAGE);
        bench.network.resetCounts();

        bench.advanceMillis(100);

        assertThat(bench.network.count(Call.BEGIN)).isLessThan(15);
    }

    @Test
    void onlySessionsThatHaveBegunUnnoticedAreDeletedAfterTheReturnAndOnce() {
        bench.network.next(Call.BEGIN, Fate.LOST_ANSWER, 3).always(Fate.REFUSED_CONNECTION);
        LockEngine process = bench.process();
        Acquisition waiting = process.acquire(Bench.waitingForever());
        bench.advanceMillis(20_000);
        assertThat(bench.network.count(Call.END)).as("in the outage").isZero();
        assertThat(bench.network.sessionReads()).isZero();

        bench.network.heal();
        bench.granted(waiting);
        bench.advanceMillis(3_000);

        assertThat(bench.network.count(Call.END)).isEqualTo(3);
        assertThat(bench.network.sessionReads()).isOne();
        assertThat(bench.table.sessionIds()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"REFUSED_CONNECTION", "THROTTLED", "SILENT", "LOST_ANSWER"})
    void theFirstGrantAfterALongOutageComesWithinTwoSecondsAndByOneEdit(Fate fate) {
        for (int i = 0; i < 20; i++) {
            assertReturn(fate, Duration.ofMillis(60_000 + 317 * i));
        }
    }

    private static void assertReturn(Fate fate, Duration outage) {
        Bench bench = new Bench();
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.grant(process);
        bench.network.always(fate);
        bench.advanceMillis(30_000);
        Acquisition again = process.acquire(Bench.waitingForever());
        bench.time.advance(outage.minusSeconds(30));
        bench.network.heal();
        bench.network.resetCounts();
        long from = bench.time.millis();

        bench.granted(again);

        assertThat(Duration.ofMillis(bench.time.millis() - from)).isLessThan(Duration.ofSeconds(2));
        assertThat(bench.network.writes()).isOne();
        assertThat(bench.queue()).hasSize(1);
    }

    @Test
    void locksThatWereHeldBeforeAnOutageComeBackByOneEditEach() {
        LockEngine process = bench.processThatHasUsedTheLock();
        List<LockKey> keys = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            keys.add(new LockKey("key-" + i, "default"));
        }
        keys.stream()
                .map(key -> process.acquire(Bench.exclusive(key, Duration.ofMinutes(1))))
                .toList()
                .forEach(bench::granted);
        bench.network.always(Fate.REFUSED_CONNECTION);
        bench.time.advance(OUTAGE);
        bench.network.heal();
        bench.network.resetCounts();

        keys.stream()
                .map(key -> process.acquire(Bench.exclusive(key, Duration.ofMinutes(1))))
                .toList()
                .forEach(bench::granted);

        assertThat(bench.network.writes()).isEqualTo(1_000);
    }

    @Test
    void aCallerThatComesInAnOutageIsToldWhyItsShortWaitFails() {
        bench.network.always(Fate.REFUSED_CONNECTION);
        LockEngine process = bench.process();
        process.acquire(Bench.waitingForever());
        bench.advanceMillis(10_000);

        Acquisition brief = process.acquire(Bench.exclusive(new LockKey("other", "default"), Duration.ofMillis(100)));
        bench.advanceMillis(110);

        assertThat(Acquisitions.outcome(brief))
                .isInstanceOfSatisfying(
                        AcquireOutcome.Failed.class,
                        failed -> assertThat(failed.cause()).hasMessage("connection refused"));
    }
}
