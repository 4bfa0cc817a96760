package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.Mode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers and writers of one lock. */
class SharedLocksTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Bench bench = new Bench();
    private final LockEngine processA = bench.processThatHasUsedTheLock();
    private final LockEngine processB = bench.processWithSession();
    private final LockEngine processC = bench.processWithSession();

    @Test
    void readersOfAllProcessesHoldTheLockTogetherForTwoWritesEach() {
        List<Grant> readers = Stream.of(processA, processB, processC)
                .map(this::acquireToRead)
                .map(bench::granted)
                .toList();

        assertThat(readers).allMatch(Grant::isValid);
        assertThat(bench.queue()).hasSize(3).allMatch(entry -> entry.mode() == Mode.SHARED);
        for (int last = 2; last >= 0; last--) {
            bench.release(readers.get(last));
        }
        assertThat(bench.network.writes()).isEqualTo(6);
        assertThat(bench.network.reads()).isZero();
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void aReaderThatLeavesOthersOfItsEntryBehindIsReleasedWithoutAWrite() {
        List<Acquisition> acquisitions = List.of(acquireToRead(processA), acquireToRead(processA));
        List<Grant> grants = acquisitions.stream().map(bench::granted).toList();
        bench.network.resetCounts();

        bench.release(grants.get(0));

        assertThat(bench.network.writes()).isZero();
        assertThat(grants.get(1).isValid()).isTrue();
    }

    @Test
    void aReaderThatDoesNotWaitGetsTheLockWhileAnotherOfItsProcessIsGettingIt() {
        Acquisition waits = bench.acquire(processA, Bench.spec(Kind.READ, MINUTE), 1);
        Acquisition tries = bench.acquire(processA, Bench.spec(Kind.READ, Duration.ZERO));

        assertThat(List.of(waits, tries)).allMatch(Acquisitions::isGranted);
    }

    @ParameterizedTest(name = "a wait of {0} ms")
    @ValueSource(longs = {0, 1, 3, 5, 20})
    void aReaderIsGrantedBesideAnotherOfItsProcessHoweverShortItsWait(long waitMillis) {
        bench.granted(acquireToRead(processA));
        bench.network.oneWayTakes(Duration.ofMillis(3));

        Acquisition brief = bench.acquire(processA, Bench.spec(Kind.READ, Duration.ofMillis(waitMillis)));

        assertThat(brief).matches(Acquisitions::isGranted);
    }

    @Test
    void callersThatDoNotWaitDoNotKeepTheEntryOfAWriterThatGaveUp() {
        bench.granted(acquireToRead(processB));
        bench.acquire(processA, Bench.spec(Kind.WRITE, Duration.ofMillis(200)));
        Acquisition reader = acquireToRead(processA);

        for (int i = 0; i < 400; i++) {
            bench.acquire(processA, Bench.spec(Kind.READ, Duration.ZERO), 1);
        }

        assertThat(reader).matches(Acquisitions::isGranted);
    }

    @Test
    void aWriterWaitsForAllReadersAndNoLaterReaderPassesIt() {
        Grant first = bench.granted(acquireToRead(processA));
        Grant second = bench.granted(acquireToRead(processB));
        Acquisition writer = acquireToWrite(processC);
        bench.advanceMillis(100);
        List<Acquisition> later = List.of(acquireToRead(processA), acquireToRead(processB), acquireToRead(processC));
        bench.advanceMillis(1_000);
        bench.release(second);
        bench.advanceMillis(1_000);
        assertThat(writer.outcome()).isNotDone();

        bench.release(first);
        Grant written = bench.granted(writer);
        bench.advanceMillis(1_000);
        assertThat(written.ticket()).isGreaterThan(first.ticket()).isGreaterThan(second.ticket());
        assertThat(later).noneMatch(Acquisitions::isGranted);
        bench.release(written);

        assertThat(later)
                .allSatisfy(reader -> assertThat(bench.granted(reader).ticket()).isGreaterThan(written.ticket()));
    }

    @Test
    void aReaderThatDoesNotWaitIsToldThatTheLockIsHeldExclusively() {
        bench.grant(processA);
        bench.network.resetCounts();

        Acquisition inSameProcess = bench.acquire(processA, Bench.spec(Kind.READ, Duration.ZERO), 0);
        assertThat(inSameProcess).matches(Acquisitions::isTimedOut);
        assertThat(bench.network.writes() + bench.network.reads()).isZero();

        Acquisition inOtherProcess = bench.acquire(processB, Bench.spec(Kind.READ, Duration.ZERO));
        assertThat(inOtherProcess).matches(Acquisitions::isTimedOut);
        assertThat(bench.network.writes()).isOne();
        assertThat(bench.network.reads()).isZero();
        assertThat(bench.network.sessionReads()).isLessThanOrEqualTo(1);
        assertThat(bench.queue()).hasSize(1);
    }

    // Dead processes

    @Test
    void aDeadWriterBetweenReadersIsRemovedThoughTheReaderBeforeItHolds() {
        Grant holder = bench.granted(acquireToRead(processA));
        acquireToWrite(processB);
        bench.advanceMillis(100);
        Acquisition reader = acquireToRead(processC);
        bench.advanceMillis(100);
        bench.machineOf(processB).loop.die();

        bench.advanceMillis(25_000);

        assertThat(reader).matches(Acquisitions::isGranted);
        assertThat(holder.isValid()).isTrue();
    }

    // Downgrades: a writer goes on as a reader

    @Test
    void aDowngradeCostsOneWriteAndLetsInTheReadersBehindButNoWriter() {
        Acquisition writing = acquireToWrite(processA);
        Grant writer = bench.granted(writing);
        long ticket = writer.ticket();
        Acquisition reader = acquireToRead(processB);
        bench.advanceMillis(100);
        Acquisition next = acquireToWrite(processA);
        bench.advanceMillis(100);
        bench.network.resetCounts();

        assertThat(bench.await(writer.downgrade())).isTrue();
        Grant behind = bench.granted(reader);
        bench.advanceMillis(1_000);

        assertThat(bench.network.writes()).isOne();
        assertThat(writer.isValid()).isTrue();
        assertThat(writer.kind()).isEqualTo(Kind.READ);
        assertThat(writer.ticket()).isEqualTo(ticket).isLessThan(behind.ticket());
        assertThat(processA.held()).containsExactly(writer);
        assertThat(next.outcome()).isNotDone();
        assertThat(bench.await(writer.downgrade())).as("asked again").isTrue();

        bench.release(writer);
        bench.release(behind);
        assertThat(bench.granted(next).isValid()).isTrue();
        assertThat(bench.countEvents(processA, "released")).isOne();
        assertThatIllegalStateException().isThrownBy(behind::downgrade);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RELEASE", "SHUTDOWN", "PAUSE", "LOST SESSION"})
    void aDowngradeFailsIfTheLockIsReleasedOrLostBeforeItIsAnswered(String end) {
        Grant writer = bench.granted(acquireToWrite(processA));
        bench.network.always(Call.REISSUE, Fate.SILENT);
        CompletableFuture<Boolean> reads = writer.downgrade();
        bench.advanceMillis(100);
        assertThat(reads).isNotDone();

        switch (end) {
            case "RELEASE" -> writer.release();
            case "SHUTDOWN" -> processA.shutdown();
            case "PAUSE" -> processA.pause();
            default -> bench.network.always(Call.HEARTBEAT, Fate.REFUSED_CONNECTION);
        }
        bench.time.advance(end.equals("LOST SESSION") ? Bench.LEASE : Duration.ofSeconds(1));

        assertThat(reads).isCompletedWithValue(false);
        assertThat(writer.downgrade()).isCompletedWithValue(false);
    }

    private Acquisition acquireToRead(LockEngine process) {
        return process.acquire(Bench.spec(Kind.READ, MINUTE));
    }

    private Acquisition acquireToWrite(LockEngine process) {
        return process.acquire(Bench.spec(Kind.WRITE, MINUTE));
    }
}
