package io.dynamolock.spring.unlocked;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LeaderElection;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockRegistry;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class UnlockedElectionTest {

    private final LockRegistry locks = AlwaysGrantingRegistry.create();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    private class Recorder implements LeaderListener {

        @Override
        public void granted(LeaderElection.Leadership leadership) {
            told.add("granted " + leadership.fencingToken() + " " + leadership.isValid());
        }

        @Override
        public void revoked(LeaderElection.Leadership leadership) {
            told.add("revoked " + leadership.fencingToken());
        }

        @Override
        public void resigned(LeaderElection.Leadership leadership) {
            told.add("resigned " + leadership.fencingToken() + " " + leadership.isValid());
        }
    }

    private String nextCall() throws InterruptedException {
        return told.poll(20, TimeUnit.SECONDS);
    }

    @Test
    void aCandidateLeadsUntilItIsClosed() throws Exception {
        LeaderElection election = locks.elect("e", new Recorder());
        assertThat(nextCall()).isEqualTo("granted 1 true");
        assertThat(election.name()).isEqualTo("e");
        assertThat(election.isLeader()).isTrue();
        LeaderElection.Leadership leadership = election.leadership().orElseThrow();
        assertThat(leadership.name()).isEqualTo("e");
        assertThat(leadership.remainingValidity()).isPositive();

        election.close();
        election.close();
        assertThat(told).containsExactly("resigned 1 false");
        assertThat(election.isLeader()).isFalse();
        assertThat(leadership.remainingValidity()).isZero();
        assertThat(election.closeAsync()).isCompleted();
    }

    @Test
    void severalCandidatesOfOneNameAllLead() throws Exception {
        locks.elect("e", new Recorder());
        locks.elect("e", new Recorder());
        assertThat(nextCall()).startsWith("granted");
        assertThat(nextCall()).startsWith("granted");
    }

    @Test
    void whoeverYieldsIsToldAndLeadsAgainWithAGreaterNumber() throws Exception {
        LeaderElection election = locks.elect("e", new Recorder());
        assertThat(nextCall()).isEqualTo("granted 1 true");
        election.yield();
        assertThat(nextCall()).isEqualTo("resigned 1 false");
        assertThat(nextCall()).isEqualTo("granted 2 true");
        assertThat(election.isLeader()).isTrue();
    }

    @Test
    void aListenerThatCannotStartIsToldAndLeadsAgainAfterAPause() throws Exception {
        AtomicBoolean fails = new AtomicBoolean(true);
        locks.elect("e", new Recorder() {
            @Override
            public void granted(LeaderElection.Leadership leadership) {
                super.granted(leadership);
                if (fails.getAndSet(false)) {
                    throw new IllegalStateException("thrown by a test");
                }
            }

            @Override
            public void resigned(LeaderElection.Leadership leadership) {
                super.resigned(leadership);
                throw new IllegalStateException("thrown by a test");
            }
        });
        assertThat(nextCall()).isEqualTo("granted 1 true");
        assertThat(nextCall()).isEqualTo("resigned 1 false");
        assertThat(nextCall()).isEqualTo("granted 2 true");
    }

    @Test
    void callsOfOneElectionComeOneAtATime() throws Exception {
        CountDownLatch mayStart = new CountDownLatch(1);
        LeaderElection election = locks.elect("e", new Recorder() {
            @Override
            public void granted(LeaderElection.Leadership leadership) {
                super.granted(leadership);
                try {
                    mayStart.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        assertThat(nextCall()).isEqualTo("granted 1 true");
        CompletableFuture<Void> end = election.closeAsync();
        assertThat(election.isLeader()).isFalse();
        assertThat(told).isEmpty();
        assertThat(end).isNotDone();
        mayStart.countDown();
        end.get(20, TimeUnit.SECONDS);
        assertThat(told).containsExactly("resigned 1 false");
    }

    @Test
    void aCallbackMayCloseItsElectionAndItsRegistry() throws Exception {
        CompletableFuture<LeaderElection> election = new CompletableFuture<>();
        CompletableFuture<Void> closed = new CompletableFuture<>();
        election.complete(locks.elect("e", new Recorder() {
            @Override
            public void granted(LeaderElection.Leadership leadership) {
                election.join().close();
                locks.close();
                closed.complete(null);
            }
        }));
        closed.get(5, TimeUnit.SECONDS);
        assertThat(nextCall()).isEqualTo("resigned 1 false");
    }

    @Test
    void closingTheRegistryEndsItsElectionsBeforeItsHolds() throws Exception {
        AtomicBoolean wasHeld = new AtomicBoolean();
        var handle = locks.acquire("k", Duration.ZERO);
        locks.elect("e", new Recorder() {
            @Override
            public void resigned(LeaderElection.Leadership leadership) {
                wasHeld.set(handle.isValid());
                super.resigned(leadership);
            }
        });
        assertThat(nextCall()).isEqualTo("granted 2 true");
        locks.close();
        assertThat(told).containsExactly("resigned 2 false");
        assertThat(wasHeld).isTrue();
        assertThat(handle.isValid()).isFalse();
    }
}
