package io.dynamolock.internal.elections;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LeaderElection;
import io.dynamolock.LeaderElection.Leadership;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.engine.NoOpEngineListener;
import io.dynamolock.internal.engine.TestSettings;
import io.dynamolock.internal.engine.VirtualTime;
import io.dynamolock.internal.fences.Fences;
import io.dynamolock.internal.handles.Requests;
import io.dynamolock.internal.handles.UnawaitedReleases;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.process.PausableEngine;
import io.dynamolock.internal.registry.Acquisitions;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.store.testing.Fault;
import io.dynamolock.internal.store.testing.FaultyLockStore;
import io.dynamolock.internal.store.testing.InterceptedLockStore;
import io.dynamolock.internal.store.testing.StoreOperation;
import io.dynamolock.internal.threads.RegistryThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Elections among processes that are cut off, freeze and die, whose leaders yield, fail and stop, in virtual time.
 * {@code -Delection.seeds} says how many random runs, {@code -Delection.first} which is the first.
 */
class ElectionSimulationTest {

    private static final int SEEDS = Integer.getInteger("election.seeds", 30);
    private static final long FIRST = Long.getLong("election.first", 0);
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration MOMENT = Duration.ofMillis(50);
    private static final int MOST_PROCESSES = 6;

    @Test
    void aLeaderIsToldThatItsTermIsOverBeforeAnotherLeads() {
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
            candidates.forEach(candidate -> candidate.faults.heal());
            time.advance(LEASE.multipliedBy(2));
            time.advance(LEASE.multipliedBy(4));
            check(leaders() == 1, "all is well, and " + leaders() + " lead");
            candidates.forEach(candidate -> candidate.election.closeAsync());
            time.advance(LEASE);
            for (Candidate candidate : candidates) {
                check(!candidate.inOffice || candidate.loop.isDead(), "one was not told to stop at the end");
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
                    time.in(span(), candidate.faults::heal);
                }
                case 2, 3 -> candidate.loop.freeze(span());
                case 4 -> {
                    if (candidates.size() < MOST_PROCESSES) {
                        candidate.loop.die();
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
        private final VirtualTime.Loop loop;
        private final LockEngine engine;
        private final Elections elections;
        private LeaderElection election;
        private boolean inOffice;
        private boolean failsNext;

        Candidate(Run run, int number) {
            this.run = run;
            faults = new FaultyLockStore(new SlowStore(run, run.random.split()));
            loop = run.time.new Loop();
            engine = new PausableEngine(
                    TestSettings.of("p" + number, LEASE, Duration.ofSeconds(2), 50, 200),
                    faults,
                    loop,
                    run.time,
                    run.random.split(),
                    new NoOpEngineListener());
            ElectionPauses pauses =
                    (failures, step) -> loop.schedule(step, Duration.ofMillis(100L << Math.min(failures, 7)));
            RegistryThreads.CallbackExecutors tellers =
                    new RegistryThreads.CallbackExecutors(loop::execute, loop::execute);
            Acquisitions acquisitions = new Acquisitions(engine, tellers, Fences.NONE, new UnawaitedReleases(8), null);
            elections = new Elections(
                    request -> acquisitions.beginUnobserved(Requests.spec(request, LockRequest.FOREVER), tellers),
                    loop::execute,
                    pauses);
            election = begin();
        }

        private LeaderElection begin() {
            return elections.begin(
                    LockRequest.of("mails").namespace(LeaderElection.NAMESPACE).waitForever(), this);
        }

        boolean leads() {
            return !loop.isDead() && election.isLeader();
        }

        boolean couldRun() {
            return !loop.isDead() && loop.hasRunFor(MOMENT);
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

    /** Each call takes some milliseconds. */
    private static final class SlowStore extends InterceptedLockStore {

        private final Run run;
        private final SplittableRandom random;

        SlowStore(Run run, SplittableRandom random) {
            super(run.table);
            this.run = run;
            this.random = random;
        }

        private Duration oneWay() {
            return Duration.ofNanos(500_000 + random.nextLong(4_500_000));
        }

        @Override
        protected <T> CompletionStage<T> intercept(StoreOperation operation, Supplier<CompletionStage<T>> call) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            run.time.in(
                    oneWay(),
                    () -> call.get().thenAccept(value -> run.time.in(oneWay(), () -> answer.complete(value))));
            return answer;
        }
    }
}
