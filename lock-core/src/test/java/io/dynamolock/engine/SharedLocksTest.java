package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Mode;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Readers and writers of one lock, and what they cost by counting the calls to the store. */
class SharedLocksTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Cluster cluster = new Cluster();

    @Test
    void readersOfAllProcessesHoldTheLockTogether() {
        List<Grant> grants = new ArrayList<>();
        for (SimulatedProcess process : cluster.startedProcesses(3)) {
            grants.add(process.grantOf(reads(process)));
        }

        assertThat(grants).allMatch(Grant::isValid);
        assertThat(cluster.queue()).hasSize(3).allMatch(entry -> entry.mode().equals(Mode.SHARED));
    }

    @Test
    void aReaderOfAFreeLockCostsTwoWritesAndNoRead() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.calls.reset();

        process.grantOf(reads(process)).release();
        cluster.time.advance(SECOND);

        assertThat(cluster.calls.writes()).isEqualTo(2);
        assertThat(cluster.calls.reads()).isZero();
    }

    @Test
    void aReaderBesideReadersOfAnotherProcessCostsTwoWritesAndNoRead() {
        SimulatedProcess other = cluster.startedProcess();
        SimulatedProcess process = cluster.startedProcess();
        other.grantOf(reads(other));
        cluster.calls.reset();

        process.grantOf(reads(process)).release();
        cluster.time.advance(SECOND);

        assertThat(cluster.calls.lockWrites()).isEqualTo(2);
        assertThat(cluster.calls.looks()).isZero();
    }

    @Test
    void aHundredReadersOfOneProcessShareAnEntryForThreeWrites() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.calls.reset();
        List<Acquisition> readers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            readers.add(reads(process));
        }
        cluster.time.advance(Duration.ofMillis(50));

        assertThat(readers).allMatch(Cluster::isGranted);
        assertThat(cluster.queue()).extracting(Entry::callers).containsExactly(100);
        readers.forEach(reader -> process.grantOf(reader).release());
        cluster.time.advance(SECOND);

        assertThat(cluster.queue()).isEmpty();
        assertThat(cluster.calls.lockWrites()).as("ask, grow, leave").isEqualTo(3);
        assertThat(cluster.calls.looks()).isZero();
    }

    @Test
    void aReaderThatLeavesOthersOfItsEntryBehindIsReleasedWithoutAWrite() {
        SimulatedProcess process = cluster.startedProcess();
        Grant first = process.grantOf(reads(process));
        Grant second = process.grantOf(reads(process));
        cluster.calls.reset();

        first.release();
        cluster.time.advance(SECOND);

        assertThat(cluster.calls.lockWrites()).isZero();
        assertThat(second.isValid()).isTrue();
    }

    @Test
    void aWriterWaitsForAllReadersAndNoLaterReaderPassesIt() {
        List<SimulatedProcess> processes = cluster.startedProcesses(3);
        Grant first = processes.get(0).grantOf(reads(processes.get(0)));
        Grant second = processes.get(1).grantOf(reads(processes.get(1)));
        Acquisition writer = writes(processes.get(2));
        cluster.time.advance(SECOND);
        List<Acquisition> later = List.of(reads(processes.get(0)), reads(processes.get(1)), reads(processes.get(2)));
        cluster.time.advance(SECOND);
        assertThat(writer).matches(acquisition -> !Cluster.isGranted(acquisition));
        assertThat(later).noneMatch(Cluster::isGranted);

        second.release();
        cluster.time.advance(SECOND);
        assertThat(writer).matches(acquisition -> !Cluster.isGranted(acquisition));
        first.release();
        Grant written = processes.get(2).grantOf(writer);
        cluster.time.advance(SECOND);

        assertThat(written.number()).isGreaterThan(first.number()).isGreaterThan(second.number());
        assertThat(later).noneMatch(Cluster::isGranted);
        written.release();
        cluster.time.advance(SECOND);
        assertThat(later).allMatch(Cluster::isGranted);
        assertThat(later)
                .allSatisfy(reader ->
                        assertThat(processes.get(0).grantOf(reader).number()).isGreaterThan(written.number()));
    }

    @Test
    void aWriterBehindAnotherProcessCostsTwoWrites() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        Grant reader = processes.get(0).grantOf(reads(processes.get(0)));
        cluster.calls.reset();

        Acquisition writer = writes(processes.get(1));
        cluster.time.advance(SECOND);
        reader.release();
        processes.get(1).grantOf(writer).release();
        cluster.time.advance(SECOND);

        int releaseOfTheReader = 1;
        assertThat(cluster.calls.lockWrites()).isEqualTo(2 + releaseOfTheReader);
    }

    @Test
    void aReaderThatDoesNotWaitLeavesAgainWhenAWriterIsAheadForTwoWrites() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        processes.get(0).hold(KEY);
        cluster.calls.reset();

        Acquisition hasty = acquire(processes.get(1), Kind.READ, Duration.ZERO, null);
        cluster.time.advance(SECOND);

        assertThat(hasty).matches(Cluster::isTimedOut);
        assertThat(cluster.calls.lockWrites()).isEqualTo(2);
        assertThat(cluster.calls.looks()).isZero();
        assertThat(cluster.queue()).hasSize(1);
    }

    @Test
    void readersThatDoNotWaitGetTheLockBehindADeadWriter() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        processes.get(0).hold(KEY);
        processes.get(0).kill();

        boolean granted = false;
        for (int i = 0; i < 40 && !granted; i++) {
            Acquisition hasty = acquire(processes.get(1), Kind.READ, Duration.ZERO, null);
            cluster.time.advance(SECOND);
            granted = Cluster.isGranted(hasty);
        }

        assertThat(granted).as("within two leases").isTrue();
    }

    @Test
    void aDeadWriterBetweenReadersIsClearedAwayThoughTheReaderBeforeItHolds() {
        List<SimulatedProcess> processes = cluster.startedProcesses(3);
        Grant holder = processes.get(0).grantOf(reads(processes.get(0)));
        writes(processes.get(1));
        cluster.time.advance(SECOND);
        Acquisition reader = reads(processes.get(2));
        cluster.time.advance(SECOND);
        processes.get(1).kill();

        cluster.time.advance(Duration.ofSeconds(30));

        assertThat(reader).matches(Cluster::isGranted);
        assertThat(holder.isValid()).isTrue();
    }

    @Test
    void aDeadReaderAmongManyIsFoundWithinALeaseByTheWriterBehindThem() {
        List<SimulatedProcess> processes = cluster.startedProcesses(4);
        List<Grant> readers = new ArrayList<>();
        for (SimulatedProcess process : processes.subList(0, 3)) {
            readers.add(process.grantOf(reads(process)));
        }
        Acquisition writer = writes(processes.get(3));
        cluster.time.advance(SECOND);
        processes.get(1).kill();
        cluster.time.advance(Duration.ofSeconds(25));

        readers.get(0).release();
        readers.get(2).release();
        cluster.time.advance(SECOND.multipliedBy(2));

        assertThat(writer).matches(Cluster::isGranted);
    }

    @Test
    void aReaderWhoseLongestHoldIsOverGoesAndTheOthersOfItsEntryKeepTheLock() {
        SimulatedProcess process = cluster.startedProcess();
        Grant longer = process.grantOf(reads(process));
        Grant forcedOut = process.grantOf(acquire(process, Kind.READ, MINUTE, SECOND));

        cluster.time.advance(SECOND.multipliedBy(2));

        assertThat(forcedOut.isValid()).isFalse();
        assertThat(longer.isValid()).isTrue();
        assertThat(process.events).contains("lost: MAX_HOLD");
        longer.release();
        cluster.time.advance(SECOND);
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void aWriterGoesOnAsAReaderInOneWriteAndLetsTheReadersBehindItIn() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        Grant writer = processes.get(0).grantOf(writes(processes.get(0)));
        Acquisition reader = reads(processes.get(1));
        cluster.time.advance(SECOND);
        cluster.calls.reset();

        Grant asReader = cluster.downgraded(writer);
        cluster.time.advance(SECOND);

        assertThat(cluster.calls.lockWrites()).isOne();
        assertThat(asReader.isValid()).isTrue();
        assertThat(asReader.number()).isEqualTo(writer.number());
        assertThat(writer.isValid()).isFalse();
        assertThat(reader).matches(Cluster::isGranted);
        assertThat(processes.get(1).grantOf(reader).number()).isGreaterThan(asReader.number());
        assertThat(writer.release()).isCompletedWithValue(true);
        assertThat(asReader.isValid()).as("the release of what it was before").isTrue();
        asReader.release();
        processes.get(1).grantOf(reader).release();
        cluster.time.advance(SECOND);
        assertThat(cluster.queue()).isEmpty();
        assertThat(processes.get(0).events.stream().filter("released"::equals))
                .as("the warm-up, and the lock once")
                .hasSize(2);
    }

    @Test
    void aWriterOfTheSameProcessWaitsBehindOneThatGoesOnAsAReader() {
        SimulatedProcess process = cluster.startedProcess();
        Grant writer = process.grantOf(writes(process));
        Acquisition next = writes(process);
        cluster.time.advance(SECOND);

        Grant asReader = cluster.downgraded(writer);
        cluster.time.advance(SECOND);
        assertThat(next).matches(acquisition -> !Cluster.isGranted(acquisition));
        asReader.release();
        cluster.time.advance(SECOND);

        assertThat(next).matches(Cluster::isGranted);
    }

    @Test
    void aWriterLooksOnWhenAReaderOfItsProcessHasLeftInTheMiddleOfALook() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        Grant held = processes.get(0).hold(KEY);
        cluster.faults.next(StoreOperation.LOOK, Fault.STALLS);
        Acquisition reader = acquire(processes.get(1), Kind.READ, SECOND, null);
        cluster.time.advance(Duration.ofMillis(500));
        Acquisition writer = writes(processes.get(1));

        cluster.time.advance(SECOND);
        assertThat(reader).matches(Cluster::isTimedOut);
        held.release();
        cluster.time.advance(SECOND.multipliedBy(8));

        assertThat(writer).matches(Cluster::isGranted);
    }

    @Test
    void allReadersOfASessionThatIsLostAreTold() {
        SimulatedProcess process = cluster.startedProcess();
        process.grantOf(reads(process));
        process.grantOf(reads(process));
        cluster.faults.always(StoreOperation.BEAT, Fault.LOST_REQUEST);

        cluster.time.advance(SimulatedProcess.SETTINGS.lease());

        assertThat(process.events).filteredOn("lost: SESSION_LOST"::equals).hasSize(2);
    }

    @Test
    void aWriterThatGoesOnAsAReaderIsHeldOnceAndByTheSameThread() {
        SimulatedProcess process = cluster.startedProcess();
        Grant writer = process.grantOf(writes(process));
        process.engine.note(writer, 7);
        Grant reader = cluster.downgraded(writer);

        assertThat(process.engine.held()).containsExactly(reader);
        assertThat(process.engine.knows(writer)).isFalse();
        assertThat(process.engine.notedFor(7, KEY)).containsExactly(reader);
    }

    @Test
    void aDowngradeEndsWhenItsProcessStopsBeforeItIsAnswered() {
        SimulatedProcess process = cluster.startedProcess();
        Grant writer = process.grantOf(writes(process));
        cluster.faults.next(StoreOperation.RENAME, Fault.STALLS);
        var result = writer.downgrade();
        cluster.time.advance(SECOND);
        assertThat(result).isNotDone();

        process.engine.shutdown();
        cluster.time.advance(SECOND);

        assertThat(result).isCompletedWithValue(Optional.empty());
    }

    @Test
    void aWriterThatIsReleasedWhileItIsToGoOnAsAReaderIsLetGo() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        Grant writer = processes.get(0).grantOf(writes(processes.get(0)));
        Acquisition next = writes(processes.get(1));
        cluster.time.advance(SECOND);

        var result = writer.downgrade();
        cluster.time.advance(Duration.ofMillis(1));
        var released = writer.release();
        cluster.time.advance(SECOND);

        assertThat(result).isCompletedWithValue(Optional.empty());
        assertThat(released).isCompletedWithValue(true);
        assertThat(next).matches(Cluster::isGranted);
    }

    /** Another thread may release between the check of the grant and the event of the downgrade. */
    @Test
    void aWriterThatIsReleasedButKeptForItsShortestHoldDoesNotGoOnAsAReader() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        Grant writer = processes
                .get(0)
                .grantOf(processes
                        .get(0)
                        .acquire(new AcquireSpec(KEY, "test", MINUTE, null, MINUTE, Kind.WRITE, 0, false)));
        Acquisition reader = acquire(processes.get(1), Kind.READ, AcquireSpec.FOREVER, null);
        cluster.time.advance(SECOND);

        writer.release();
        var result = writer.downgrade();
        cluster.time.advance(SECOND);

        assertThat(result).isCompletedWithValue(Optional.empty());
        assertThat(cluster.queue().get(0).mode()).isEqualTo(Mode.EXCLUSIVE);
        assertThat(reader.outcome()).isNotDone();
        cluster.time.advance(MINUTE);
        assertThat(reader).matches(Cluster::isGranted);
    }

    @Test
    void aWriterThatDoesNotWaitGetsAFreeLockThoughTheAnswerToItsAskWasLost() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.faults.next(StoreOperation.ASK, Fault.LOST_ANSWER);

        Acquisition writer = acquire(process, Kind.WRITE, Duration.ZERO, null);
        cluster.time.advance(SECOND);

        assertThat(writer).matches(Cluster::isGranted);
    }

    @Test
    void aReaderThatDoesNotWaitIsToldWithoutACallThatItsOwnProcessHoldsTheLockExclusively() {
        SimulatedProcess process = cluster.startedProcess();
        process.hold(KEY);
        cluster.calls.reset();

        Acquisition hasty = acquire(process, Kind.READ, Duration.ZERO, null);
        cluster.time.settle();

        assertThat(hasty).matches(Cluster::isTimedOut);
        assertThat(cluster.calls.total()).isZero();
    }

    @Test
    void aReaderBehindItsOwnProcessLooksNotAtAllAndGetsTheLockByTheRelease() {
        SimulatedProcess process = cluster.startedProcess();
        Grant holder = process.hold(KEY);
        Acquisition reader = acquire(process, Kind.READ, MINUTE.multipliedBy(2), null);
        cluster.time.advance(SECOND);
        cluster.calls.reset();

        cluster.time.advance(MINUTE);
        assertThat(cluster.calls.looks()).isZero();
        holder.release();
        cluster.time.advance(Duration.ofMillis(10));

        assertThat(reader).matches(Cluster::isGranted);
        assertThat(cluster.calls.looks()).isZero();
    }

    @Test
    void aReaderBehindAHolderOfItsOwnProcessHearsThatTheItemCannotBeRead() {
        SimulatedProcess process = cluster.startedProcess();
        Grant holder = process.grantOf(writes(process));
        Acquisition reader = acquire(process, Kind.READ, AcquireSpec.FOREVER, null);
        cluster.time.advance(SECOND);

        cluster.faults.everythingButBeats(Fault.UNREADABLE);
        holder.release();
        cluster.time.advance(SECOND.multipliedBy(5));

        assertThat(reader).matches(Cluster::isFailed);
    }

    private static Acquisition reads(SimulatedProcess process) {
        return acquire(process, Kind.READ, MINUTE, null);
    }

    private static Acquisition writes(SimulatedProcess process) {
        return acquire(process, Kind.WRITE, MINUTE, null);
    }

    private static Acquisition acquire(SimulatedProcess process, Kind kind, Duration wait, @Nullable Duration maxHold) {
        return process.acquire(new AcquireSpec(KEY, "test", wait, maxHold, null, kind, 0, false));
    }
}
