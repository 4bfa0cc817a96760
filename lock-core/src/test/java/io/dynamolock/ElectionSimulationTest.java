package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.Acquisition;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.simulation.LatentLockStore;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.simulation.VirtualTime;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.FaultyLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Elections among processes that are cut off, freeze and die, whose leaders yield, fail and stop, in virtual time.
 * {@code -Delection.seeds} says how many random runs, {@code -Delection.first} which is the first.
 */
class ElectionSimulationTest {

    private static final int SEEDS = Integer.getInteger("election.seeds", 60);
    private static final long FIRST = Long.getLong("election.first", 0);
    private static final Duration LEASE = SimulatedProcess.SETTINGS.lease();
    private static final Duration MOMENT = Duration.ofMillis(50);
    private static final int MOST_PROCESSES = 6;

    @Test
    void aLeaderIsToldThatItLeadsNoMoreBeforeAnotherLeadsWhateverHappens() {
        long terms = 0;
        long revocations = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            Run run = new Run(seed);
            run.play();
            terms += run.terms;
            revocations += run.revocations;
        }
        System.out.println("ElectionSimulationTest: " + terms + " terms, of which " + revocations + " were revoked");
        assertThat(terms).isGreaterThan(10L * SEEDS);
        assertThat(revocations).isGreaterThan(SEEDS);
    }

    private static final class Run {

        private final long seed;
        private final SplittableRandom random;
        private final VirtualTime time = new VirtualTime();
        private final InMemoryLockStore table = new InMemoryLockStore(time::now);
        private final List<Candidate> candidates = new ArrayList<>();
        private final List<String> violations = new ArrayList<>();
        private long lastToken;
        private long terms;
        private long revocations;

        Run(long seed) {
            this.seed = seed;
            this.random = new SplittableRandom(seed);
        }

        void play() {
            for (int i = 0; i < 3; i++) {
                candidates.add(new Candidate(this, i));
            }
            for (int i = 0; i < 100; i++) {
                time.advance(Duration.ofNanos(random.nextLong(LEASE.toNanos() / 2)));
                strike(candidates.get(random.nextInt(candidates.size())));
                check(leaders() < 2, "two lead");
            }
            candidates.forEach(Candidate::heal);
            time.advance(LEASE.multipliedBy(4));
            check(leaders() == 1, "all is well, and " + leaders() + " lead");
            candidates.forEach(candidate -> candidate.election.closeAsync());
            time.advance(LEASE);
            for (Candidate candidate : candidates) {
                check(!candidate.inOffice || candidate.process.isDead(), "one was not told to stop at the end");
            }
            assertThat(violations).as("seed %s", seed).isEmpty();
        }

        /** What a listener throws is only logged. */
        private void check(boolean holds, String violation) {
            if (!holds) {
                violations.add(time.now() + " " + violation);
            }
        }

        private long leaders() {
            return candidates.stream().filter(Candidate::leads).count();
        }

        private void strike(Candidate candidate) {
            switch (random.nextInt(8)) {
                case 0, 1 -> {
                    candidate.faults.everything(random.nextBoolean() ? Fault.LOST_REQUEST : Fault.LOST_ANSWER);
                    time.schedule(candidate::heal, span());
                }
                case 2, 3 -> {
                    candidate.process.freeze();
                    time.schedule(candidate::heal, span());
                }
                case 4 -> {
                    if (candidates.size() < MOST_PROCESSES) {
                        candidate.process.kill();
                        candidates.add(new Candidate(this, candidates.size()));
                    }
                }
                case 5 -> candidate.failsNext = true;
                case 6 -> {
                    candidate.election.closeAsync();
                    candidate.election = candidate.begin();
                }
                default -> candidate.election.yield();
            }
        }

        private Duration span() {
            return Duration.ofNanos(random.nextLong(LEASE.toNanos() * 2));
        }

        /** Only a process that cannot run has not been told. */
        private void begins(Candidate leader, Leadership term) {
            terms++;
            check(term.fencingToken() > lastToken, "the numbers do not rise");
            lastToken = term.fencingToken();
            for (Candidate other : candidates) {
                if (other != leader) {
                    check(!other.leads(), "another leads still");
                    check(!other.inOffice || !other.couldRun(), "the former leader has not been told");
                }
            }
        }
    }

    /** One process, and its candidate. */
    private static final class Candidate implements LeaderListener {

        private final Run run;
        private final FaultyLockStore faults;
        private final SimulatedProcess process;
        private final Elections elections;
        private LeaderElection election;
        private long healedAt;
        private boolean inOffice;
        private boolean failsNext;

        Candidate(Run run, int number) {
            this.run = run;
            SplittableRandom random = run.random.split();
            faults = new FaultyLockStore(new LatentLockStore(
                    run.table, run.time, () -> Duration.ofNanos(1_000_000 + random.nextLong(9_000_000))));
            process = new SimulatedProcess(
                    "p" + number, run.time, faults, SimulatedProcess.SETTINGS, run.random.nextLong());
            Pauses pauses = (failures, step) -> process.later(step, Duration.ofMillis(100L << Math.min(failures, 7)));
            elections = new Elections(this::acquire, process::afterAll, pauses);
            election = begin();
        }

        private LeaderElection begin() {
            return elections.begin(
                    LockRequest.of("mails").namespace(LeaderElection.NAMESPACE).waitForever(), this);
        }

        boolean leads() {
            return !process.isDead() && election.isLeader();
        }

        boolean couldRun() {
            boolean justWoken = run.time.nanos() - healedAt < MOMENT.toNanos();
            return !process.isDead() && !process.isFrozen() && !justWoken;
        }

        void heal() {
            faults.heal();
            if (process.isFrozen()) {
                process.thaw();
                healedAt = run.time.nanos();
            }
        }

        private CompletableFuture<LockHandle> acquire(LockRequest request) {
            CompletableFuture<LockHandle> result = new CompletableFuture<>();
            Acquisition acquisition = process.engine.acquire(request.toSpec(LockRequest.FOREVER));
            result.whenComplete((handle, failure) -> {
                if (failure != null) {
                    acquisition.abandon();
                }
            });
            acquisition
                    .outcome()
                    .thenAccept(outcome -> process.afterAll(() -> {
                        if (outcome instanceof AcquireOutcome.Granted granted) {
                            if (!result.complete(new PlainHandle(granted.grant()))) {
                                granted.grant().release();
                            }
                        } else {
                            result.completeExceptionally(new IllegalStateException(outcome.toString()));
                        }
                    }));
            return result;
        }

        @Override
        public void granted(Leadership leadership) {
            run.check(!inOffice, "told that it leads twice");
            run.begins(this, leadership);
            inOffice = true;
            if (failsNext) {
                failsNext = false;
                throw new IllegalStateException("on purpose");
            }
        }

        @Override
        public void revoked(Leadership leadership) {
            run.revocations++;
            ends(leadership);
        }

        @Override
        public void resigned(Leadership leadership) {
            ends(leadership);
        }

        private void ends(Leadership leadership) {
            run.check(inOffice, "told to stop twice");
            run.check(!leadership.isValid(), "told to stop while it leads");
            inOffice = false;
        }
    }
}
