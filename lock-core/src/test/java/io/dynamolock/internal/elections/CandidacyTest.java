package io.dynamolock.internal.elections;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LeaderElection;
import io.dynamolock.LeaderElection.Leadership;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockClosedException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.fences.Fences;
import io.dynamolock.internal.handles.GrantHandle;
import io.dynamolock.internal.handles.UnawaitedReleases;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.testing.FakeGrant;
import io.dynamolock.internal.threads.ObservedCaller;
import io.dynamolock.internal.threads.RegistryThreads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a candidate does and tells, step by step: every thread and every lock is the test's. */
class CandidacyTest {

    private static final LockKey KEY = new LockKey("mails", LeaderElection.NAMESPACE);

    private final Queue<Runnable> threads = new ArrayDeque<>();
    private final List<CompletableFuture<LockHandle>> asks = new ArrayList<>();
    private final List<Integer> pauses = new ArrayList<>();
    private final List<Runnable> afterPauses = new ArrayList<>();
    private final Recorder heard = new Recorder();
    private Candidacy election = new Candidacy(
            LockRequest.of("mails").namespace(LeaderElection.NAMESPACE),
            heard,
            this::ask,
            threads::add,
            (failures, step) -> {
                pauses.add(failures);
                afterPauses.add(step);
            });
    private FakeGrant lastGrant = new FakeGrant(KEY, 0);

    @BeforeEach
    void begin() {
        election.start();
        assertThat(asks).as("in the queue already, in the order of the calls").hasSize(1);
        settle();
    }

    @Test
    void waitsInTheQueueAndLeadsWhenItsTurnHasCome() {
        assertThat(asks).hasSize(1);
        assertThat(election.isLeader()).isFalse();
        assertThat(election.leadership()).isEmpty();

        FakeGrant grant = grant(7);

        assertThat(heard.calls).containsExactly("granted 7");
        assertThat(election.isLeader()).isTrue();
        assertThat(election.leadership()).hasValueSatisfying(term -> {
            assertThat(term.name()).isEqualTo("mails");
            assertThat(term.fencingToken()).isEqualTo(7);
            assertThat(term.isValid()).isTrue();
            assertThat(term.remainingValidity()).isEqualTo(grant.remaining());
        });
    }

    @Test
    void aLossDuringACallOfTheListenerIsToldAfterThatCall() {
        heard.onGranted = () -> {
            lastGrant.lose();
            assertThat(election.isLeader()).isFalse();
            heard.calls.add("granted returns");
        };

        grant(7);

        assertThat(heard.calls).containsExactly("granted 7", "granted returns", "revoked 7");
        assertThat(asks).hasSize(2);
    }

    @Test
    void aLeaderIsToldOfItsLossEvenIfNobodyKeepsItsElection() {
        FakeGrant grant = grant(7);
        asks.clear();
        election = null;
        System.gc();

        grant.lose();
        settle();

        assertThat(grant.releases).hasValue(0);
        assertThat(heard.calls).containsExactly("granted 7", "revoked 7");
    }

    @Test
    void letsOthersLeadOnlyWhenTheListenerHasResigned() {
        FakeGrant grant = grant(7);
        heard.onResigned = () -> assertThat(grant.releases).hasValue(0);

        election.yield();

        assertThat(election.isLeader()).isFalse();
        settle();
        assertGivenBack(grant, "granted 7", "resigned 7");
        assertThat(asks).as("behind all that wait now").hasSize(2);
    }

    @Test
    void entersTheQueueAgainOnlyWhenTheYieldedLockIsReleased() {
        FakeGrant grant = grant(7);
        grant.answersRelease = false;

        yields();
        assertThat(asks).hasSize(1);
        grant.releaseAnswer.complete(true);
        settle();

        assertThat(asks).hasSize(2);
    }

    @Test
    void resignsForAPauseAndStandsAgainOnlyAfterIt() {
        FakeGrant grant = grant(7);
        heard.onResigned =
                () -> assertThat(grant.releases).as("while it still leads").hasValue(0);

        CompletableFuture<Void> told = election.pause();
        assertThat(election.isLeader()).isFalse();
        assertThat(told).isNotDone();
        settle();

        assertThat(told).isCompleted();
        assertGivenBack(grant, "granted 7", "resigned 7");
        assertThat(asks).as("none before it resumes").hasSize(1);
        resumes();
        assertThat(asks).hasSize(2);
        grant(8);
        assertThat(heard.calls).containsExactly("granted 7", "resigned 7", "granted 8");
    }

    @Test
    void givesBackALockThatIsGrantedDuringThePause() {
        election.pause();

        FakeGrant grant = grant(7);

        assertThat(heard.calls).isEmpty();
        assertThat(grant.releases).hasValue(1);
        resumes();
        assertThat(asks).hasSize(2);
    }

    @Test
    void aPauseWaitsForAListenerThatIsBeingTold() {
        List<CompletableFuture<Void>> paused = new ArrayList<>();
        heard.onResigned = () -> {
            paused.add(election.pause());
            heard.calls.add("done: " + paused.get(0).isDone());
        };
        FakeGrant grant = grant(7);

        yields();

        assertGivenBack(grant, "granted 7", "resigned 7", "done: false");
        assertThat(paused).allMatch(CompletableFuture::isDone);
    }

    @Test
    void canBeClosedWhileTheRegistryIsPaused() {
        grant(7);
        election.pause();
        settle();

        CompletableFuture<Void> ended = election.closeAsync();
        settle();

        assertThat(ended).isCompleted();
        resumes();
        assertThat(asks).hasSize(1);
    }

    @Test
    void yieldsOnceAndOnlyIfItLeads() {
        yields();
        assertThat(heard.calls).isEmpty();

        grant(7);
        election.yield();
        yields();

        assertThat(heard.calls).containsExactly("granted 7", "resigned 7");
        assertThat(asks).hasSize(2);
    }

    @Test
    void tellsOfOneEndOfATermAndOfTheLossIfThatCameFirst() {
        FakeGrant grant = grant(7);

        election.yield();
        grant.lose();
        settle();

        assertThat(heard.calls).containsExactly("granted 7", "revoked 7");
        assertThat(asks).hasSize(2);
    }

    @Test
    void resignsOnceWhenClosedAndAcquiresNothingMore() {
        FakeGrant grant = grant(7);

        CompletableFuture<Void> closed = election.closeAsync();
        assertThat(election.isLeader()).isFalse();
        election.closeAsync();
        settle();

        assertThat(closed).isCompleted();
        assertGivenBack(grant, "granted 7", "resigned 7");
        assertThat(asks).hasSize(1);
        election.yield();
        grant.lose();
        settle();
        assertThat(heard.calls).hasSize(2);
    }

    @Test
    void hasEndedOnlyWhenTheLockIsGivenBack() {
        FakeGrant grant = grant(7);
        grant.answersRelease = false;
        yields();

        CompletableFuture<Void> closed = closing();
        assertThat(closed).isNotDone();
        grant.releaseAnswer.complete(true);
        settle();

        assertThat(closed).isCompleted();
        assertThat(asks).hasSize(1);
    }

    @Test
    void aRegistryThatClosesWaitsForItsLeaderButNotForTheStore() {
        FakeGrant grant = grant(7);
        grant.answersRelease = false;

        CompletableFuture<Void> told = election.closeForRegistry();
        assertThat(told).isNotDone();
        settle();

        assertThat(told).isCompleted();
        assertGivenBack(grant, "granted 7", "resigned 7");
    }

    @Test
    void leavesTheQueueWhenItIsClosed() {
        CompletableFuture<Void> closed = closing();

        assertThat(asks.get(0)).isCancelled();
        assertThat(closed).isCompleted();
        assertThat(heard.calls).isEmpty();
    }

    @Test
    void givesBackALockGrantedWhileClosingWithoutTellingTheListener() {
        FakeGrant grant = new FakeGrant(KEY, 7);
        asks.get(0).complete(handle(grant));

        CompletableFuture<Void> closed = closing();

        assertThat(closed).isCompleted();
        assertThat(grant.releases).hasValue(1);
        assertThat(heard.calls).isEmpty();
    }

    @Test
    void doesNotTellOfATermThatWasOverBeforeItBegan() {
        FakeGrant grant = new FakeGrant(KEY, 7);
        grant.lose();

        asks.get(0).complete(handle(grant));
        settle();

        assertThat(heard.calls).isEmpty();
        assertThat(asks).hasSize(2);
    }

    @Test
    void aListenerThatFailsToStartGivesUpTheLeadershipForGrowingPauses() {
        heard.onGranted = Recorder::fails;

        FakeGrant grant = grant(7);
        assertGivenBack(grant, "granted 7", "resigned 7");
        assertThat(election.isLeader()).isFalse();
        assertThat(asks).hasSize(1);
        endPause();
        grant(8);
        endPause();
        heard.onGranted = () -> {};
        grant(9);
        assertThat(pauses).containsExactly(1, 2);

        heard.onGranted = Recorder::fails;
        yields();
        grant(10);
        assertThat(pauses).containsExactly(1, 2, 1);
    }

    @Test
    void canBeClosedDuringAPauseAfterAFailure() {
        asks.get(0).completeExceptionally(new IllegalStateException("no table"));
        settle();

        assertThat(closing()).isCompleted();
        endPause();
        assertThat(asks).hasSize(1);
    }

    @Test
    void goesOnIfTheListenerFailsWhenItIsToldToStop() {
        heard.onResigned = Recorder::fails;
        FakeGrant grant = grant(7);

        yields();

        assertThat(grant.releases).hasValue(1);
        assertThat(asks).hasSize(2);
    }

    @Test
    void endsWithItsRegistry() {
        asks.get(0).completeExceptionally(new LockClosedException("mails", LeaderElection.NAMESPACE, "mails"));
        settle();

        assertThat(pauses).isEmpty();
        assertThat(closing()).isCompleted();
    }

    @Test
    void doesNotWaitForItselfIfItsListenerClosesIt() {
        heard.onGranted = election::close;

        FakeGrant grant = grant(7);

        assertGivenBack(grant, "granted 7", "resigned 7");
        assertThat(closing()).isCompleted();
    }

    private FakeGrant grant(long number) {
        lastGrant = new FakeGrant(KEY, number);
        asks.get(asks.size() - 1).complete(handle(lastGrant));
        settle();
        return lastGrant;
    }

    private GrantHandle handle(FakeGrant grant) {
        return new GrantHandle(
                grant,
                new RegistryThreads.CallbackExecutors(threads::add, threads::add),
                Fences.NONE,
                new UnawaitedReleases(8),
                ObservedCaller.UNOBSERVED);
    }

    private void yields() {
        election.yield();
        settle();
    }

    private void resumes() {
        election.resume();
        settle();
    }

    private void assertGivenBack(FakeGrant grant, String... told) {
        assertThat(heard.calls).containsExactly(told);
        assertThat(grant.releases).hasValue(1);
    }

    private CompletableFuture<Void> closing() {
        CompletableFuture<Void> closed = election.closeAsync();
        settle();
        return closed;
    }

    private void endPause() {
        afterPauses.get(afterPauses.size() - 1).run();
        settle();
    }

    private void settle() {
        for (Runnable next = threads.poll(); next != null; next = threads.poll()) {
            next.run();
        }
    }

    private CompletableFuture<LockHandle> ask(LockRequest request) {
        assertThat(request.key()).isEqualTo("mails");
        CompletableFuture<LockHandle> ask = new CompletableFuture<>();
        asks.add(ask);
        return ask;
    }

    private static final class Recorder implements LeaderListener {

        private final List<String> calls = new ArrayList<>();
        private Runnable onGranted = () -> {};
        private Runnable onResigned = () -> {};

        private static void fails() {
            throw new IllegalStateException("expected by this test");
        }

        @Override
        public void granted(Leadership leadership) {
            calls.add("granted " + leadership.fencingToken());
            onGranted.run();
        }

        @Override
        public void revoked(Leadership leadership) {
            calls.add("revoked " + leadership.fencingToken());
        }

        @Override
        public void resigned(Leadership leadership) {
            calls.add("resigned " + leadership.fencingToken());
            onResigned.run();
        }
    }
}
