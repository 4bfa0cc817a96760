package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.internal.LockEngine;
import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
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
    private final LockEngine one = bench.processThatHasUsedTheLock();
    private final LockEngine two = bench.processWithSession();
    private final LockEngine three = bench.processWithSession();

    @Test
    void readersOfAllProcessesHoldTheLockTogetherForTwoWritesEach() {
        List<Grant> readers =
                Stream.of(one, two, three).map(this::reads).map(bench::granted).toList();

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
        List<Acquisition> both = List.of(reads(one), reads(one));
        List<Grant> grants = both.stream().map(bench::granted).toList();
        bench.network.resetCounts();

        bench.release(grants.get(0));

        assertThat(bench.network.writes()).isZero();
        assertThat(grants.get(1).isValid()).isTrue();
    }

    @Test
    void aReaderThatDoesNotWaitGetsTheLockBesideOneOfItsProcessThatIsGettingIt() {
        Acquisition waits = bench.acquire(one, Bench.spec(Kind.READ, MINUTE), 1);
        Acquisition tries = bench.acquire(one, Bench.spec(Kind.READ, Duration.ZERO));

        assertThat(List.of(waits, tries)).allMatch(Acquisitions::isGranted);
    }

    @ParameterizedTest(name = "a wait of {0} ms")
    @ValueSource(longs = {0, 1, 3, 5, 20})
    void aReaderIsGrantedBesideOneOfItsProcessHoweverShortItsWait(long waitMillis) {
        bench.granted(reads(one));
        bench.network.oneWayTakes(Duration.ofMillis(3));

        Acquisition brief = bench.acquire(one, Bench.spec(Kind.READ, Duration.ofMillis(waitMillis)));

        assertThat(brief).matches(Acquisitions::isGranted);
    }

    @Test
    void callersThatDoNotWaitDoNotKeepTheEntryOfAWriterThatGaveUp() {
        bench.granted(reads(two));
        bench.acquire(one, Bench.spec(Kind.WRITE, Duration.ofMillis(200)));
        Acquisition reader = reads(one);

        for (int i = 0; i < 400; i++) {
            bench.acquire(one, Bench.spec(Kind.READ, Duration.ZERO), 1);
        }

        assertThat(reader).matches(Acquisitions::isGranted);
    }

    @Test
    void aWriterWaitsForAllReadersAndNoLaterReaderPassesIt() {
        Grant first = bench.granted(reads(one));
        Grant second = bench.granted(reads(two));
        Acquisition writer = writes(three);
        bench.advanceMillis(100);
        List<Acquisition> later = List.of(reads(one), reads(two), reads(three));
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
    void whoDoesNotWaitIsToldThatTheLockIsHeldInAnotherWay() {
        bench.grant(one);
        bench.network.resetCounts();

        Acquisition ofTheSame = bench.acquire(one, Bench.spec(Kind.READ, Duration.ZERO), 0);
        assertThat(ofTheSame).matches(Acquisitions::isTimedOut);
        assertThat(bench.network.writes() + bench.network.reads()).isZero();

        Acquisition ofAnother = bench.acquire(two, Bench.spec(Kind.READ, Duration.ZERO));
        assertThat(ofAnother).matches(Acquisitions::isTimedOut);
        assertThat(bench.network.writes()).isOne();
        assertThat(bench.network.reads()).isZero();
        assertThat(bench.network.sessionReads()).isLessThanOrEqualTo(1);
        assertThat(bench.queue()).hasSize(1);
    }

    // The dead

    @Test
    void aDeadWriterBetweenReadersIsClearedAwayThoughTheReaderBeforeItHolds() {
        Grant holder = bench.granted(reads(one));
        writes(two);
        bench.advanceMillis(100);
        Acquisition reader = reads(three);
        bench.advanceMillis(100);
        bench.machineOf(two).loop.die();

        bench.advanceMillis(25_000);

        assertThat(reader).matches(Acquisitions::isGranted);
        assertThat(holder.isValid()).isTrue();
    }

    // Going on as a reader

    @Test
    void aWriterGoesOnAsAReaderInOneWriteAndLetsTheReadersBehindItInButNoWriter() {
        Acquisition writing = writes(one);
        Grant writer = bench.granted(writing);
        long ticket = writer.ticket();
        Acquisition reader = reads(two);
        bench.advanceMillis(100);
        Acquisition next = writes(one);
        bench.advanceMillis(100);
        bench.network.resetCounts();

        assertThat(bench.await(writer.downgrade())).isTrue();
        Grant behind = bench.granted(reader);
        bench.advanceMillis(1_000);

        assertThat(bench.network.writes()).isOne();
        assertThat(writer.isValid()).isTrue();
        assertThat(writer.kind()).isEqualTo(Kind.READ);
        assertThat(writer.ticket()).isEqualTo(ticket).isLessThan(behind.ticket());
        assertThat(one.held()).containsExactly(writer);
        assertThat(next.outcome()).isNotDone();
        assertThat(bench.await(writer.downgrade())).as("asked again").isTrue();

        bench.release(writer);
        bench.release(behind);
        assertThat(bench.granted(next).isValid()).isTrue();
        assertThat(bench.countEvents(one, "released")).isOne();
        assertThatIllegalStateException().isThrownBy(behind::downgrade);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RELEASE", "SHUTDOWN", "PAUSE", "LOST SESSION"})
    void goingOnAsAReaderEndsWhenTheLockIsReleasedOrLostBeforeItIsAnswered(String end) {
        Grant writer = bench.granted(writes(one));
        bench.network.always(Call.REISSUE, Fate.SILENT);
        CompletableFuture<Boolean> reads = writer.downgrade();
        bench.advanceMillis(100);
        assertThat(reads).isNotDone();

        switch (end) {
            case "RELEASE" -> writer.release();
            case "SHUTDOWN" -> one.shutdown();
            case "PAUSE" -> one.pause();
            default -> bench.network.always(Call.HEARTBEAT, Fate.REFUSED_CONNECTION);
        }
        bench.time.advance(end.equals("LOST SESSION") ? Bench.LEASE : Duration.ofSeconds(1));

        assertThat(reads).isCompletedWithValue(false);
        assertThat(writer.downgrade()).isCompletedWithValue(false);
    }

    private Acquisition reads(LockEngine process) {
        return process.acquire(Bench.spec(Kind.READ, MINUTE));
    }

    private Acquisition writes(LockEngine process) {
        return process.acquire(Bench.spec(Kind.WRITE, MINUTE));
    }
}
