package io.dynamolock.internal.elections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LeaderElection;
import io.dynamolock.LeaderElection.Leadership;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockClosedException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockSnapshot;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.store.testing.Fault;
import io.dynamolock.internal.store.testing.FaultyLockStore;
import io.dynamolock.internal.store.testing.StoreOperation;
import io.dynamolock.internal.testing.ManualTime;
import io.dynamolock.internal.testing.TestThread;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What users are promised of elections: two processes on one table in memory, and a clock to move. */
class LeaderElectionTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final LockKey LOCK = new LockKey("mails", LeaderElection.NAMESPACE);

    private final InMemoryLockStore table = new InMemoryLockStore();
    private final FaultyLockStore store = new FaultyLockStore(table);
    private final ManualTime time = new ManualTime();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final List<String> threads = new CopyOnWriteArrayList<>();
    private final LockRegistry here = registry(store);
    private final LockRegistry there = registry(table);

    private LockRegistry registry(LockStore on) {
        return RegistryBuilder.of(on).on(time).build();
    }

    @AfterEach
    void close() {
        store.heal();
        time.close(here, there);
    }

    @Test
    void theEngineKnowsElectionsByTheirNamespace() {
        assertThat(new LockKey("boss", LeaderElection.NAMESPACE).isOfElection()).isTrue();
    }

    @Test
    void theNextCandidateLeadsWhenTheLeaderResigns() {
        LeaderElection first = firstLeads();

        LeaderElection second = secondWaits();
        assertThat(second.isLeader()).isFalse();
        long token = first.leadership().orElseThrow().fencingToken();

        first.yield();

        heardOf("second granted");
        assertThat(first.isLeader()).isFalse();
        assertThat(second.leadership().orElseThrow().fencingToken()).isGreaterThan(token);
        assertThat(heard).containsExactly("first granted", "first resigned", "second granted");
        await().until(() -> here.admin().waiting() == 1);
        second.yield();
        heardOf("first granted", 2);
    }

    @Test
    void anEvictedLeaderIsToldAndStandsAgainAtTheEndOfTheQueue() {
        firstLeads();

        secondWaits();

        assertThat(evict(inspected().holder().orElseThrow().id())).isTrue();

        heardOf("first revoked");
        heardOf("second granted");
        await().until(() -> here.admin().waiting() == 1);
        // The two hear of it on threads of their own.
        assertThat(heard).containsExactlyInAnyOrder("first granted", "first revoked", "second granted");
    }

    @Test
    void anEvictedCandidateStandsAgainAfterAPause() {
        firstLeads();

        LeaderElection second = secondWaits();
        List<LockSnapshot.Waiter> before = inspected().queue();
        evict(before.get(0).id());
        await().until(() -> {
            time.advance(SECOND);
            List<LockSnapshot.Waiter> queue = inspected().queue();
            return queue.size() == 1 && !queue.equals(before);
        });

        assertThat(second.isLeader()).isFalse();
        assertThat(heard).containsExactly("first granted");
    }

    @Test
    void candidatesOfOneRegistryLeadInTheOrderInWhichTheyWereBegun() {
        LeaderElection first = firstLeads();

        LeaderElection second = here.elect("mails", new Teller("second"));
        await().until(() -> here.admin().waiting() == 1);
        LeaderElection third = here.elect("mails", new Teller("third"));
        await().until(() -> here.admin().waiting() == 2);

        first.close();
        heardOf("second granted");
        assertThat(third.isLeader()).isFalse();
        second.close();

        heardOf("third granted");
    }

    @Test
    void candidatesOfOneRegistryThatAreBegunAtOnceLeadInThatOrder() {
        List<LeaderElection> begun = IntStream.range(0, 10)
                .mapToObj(i -> here.elect("mails", new Teller("candidate " + i)))
                .toList();

        for (int i = 0; i < begun.size(); i++) {
            await().until(() -> begun.stream().anyMatch(LeaderElection::isLeader));
            assertThat(begun.get(i).isLeader()).as("candidate %s", i).isTrue();
            begun.get(i).close();
        }
    }

    @Test
    void aLeaderThatIsCutOffIsToldBeforeAnotherLeadsAndLeadsAgainInItsTurn() {
        LeaderElection first = firstLeads();

        secondWaits();

        store.everything(Fault.LOST_REQUEST);
        heardOf("second granted");

        assertThat(heard).startsWith("first granted", "first revoked", "second granted");
        assertThat(first.isLeader()).isFalse();
        store.heal();
        time.advanceUntil(
                SECOND,
                () -> here.admin().waiting() == 1 && table.lock(LOCK).queue().size() == 2);
        time.close(there);
        heardOf("first granted", 2);
    }

    @Test
    void aRegistryThatClosesLetsItsLeaderResignBeforeOthersLead() {
        firstLeads();

        secondWaits();

        time.close(here);
        heardOf("second granted");

        assertThat(heard).containsExactly("first granted", "first resigned", "second granted");
        assertThatThrownBy(() -> here.elect("mails", new Teller("late"))).isInstanceOf(LockClosedException.class);
    }

    @Test
    void aListenerThatDoesNotReturnDelaysNoOtherElection() {
        CountDownLatch stuck = new CountDownLatch(1);
        for (int i = 0; i < 4; i++) {
            here.elect("stuck " + i, leadership -> TestThread.awaitQuietly(stuck));
        }
        LeaderElection other = here.elect("mails", new Teller("other"));
        heardOf("other granted");
        LockHandle handle = here.acquire("k", SECOND);
        CompletableFuture<Void> lost = new CompletableFuture<>();
        handle.onLost(() -> lost.complete(null));

        other.close();
        store.everything(Fault.LOST_REQUEST);
        time.advanceUntil(SECOND, lost::isDone);

        assertThat(heard).containsExactly("other granted", "other resigned");
        stuck.countDown();
    }

    @Test
    void aLeaderHearsOfItsLossWhileCallbacksOfOtherLocksHang() {
        CountDownLatch stuck = new CountDownLatch(1);
        for (int i = 0; i < 4; i++) {
            here.acquire("k" + i, SECOND).onLost(() -> TestThread.awaitQuietly(stuck));
            here.acquireAsync(LockRequest.of("async" + i)).thenRun(() -> TestThread.awaitQuietly(stuck));
        }
        here.elect("mails", new Teller("leader"));
        heardOf("leader granted");

        store.everything(Fault.LOST_REQUEST);
        heardOf("leader revoked");

        stuck.countDown();
    }

    @Test
    void listenersAreCalledOnThreadsOfTheirOwn() {
        here.elect("mails", new Teller("only"));
        heardOf("only granted");

        assertThat(threads).allSatisfy(thread -> assertThat(thread).startsWith("dynamolock-leader"));
    }

    @Test
    void aStoreThatRefusesIsAskedLessAndLessOften() {
        here.acquire("warm up", SECOND).close();
        store.always(StoreOperation.EDIT, Fault.REFUSED);
        store.reset();

        here.elect("mails", new Teller("only"));
        for (int i = 0; i < 60; i++) {
            await().pollDelay(Duration.ZERO).until(() -> {
                time.settle();
                return here.admin().waiting() == 0;
            });
            time.advance(SECOND);
        }

        assertThat(store.count(StoreOperation.EDIT)).isBetween(5, 20);
        store.heal();
        heardOf("only granted");
    }

    private LeaderElection firstLeads() {
        LeaderElection first = here.elect("mails", new Teller("first"));
        heardOf("first granted");
        return first;
    }

    private LeaderElection secondWaits() {
        LeaderElection second = there.elect("mails", new Teller("second"));
        await().until(() -> there.admin().waiting() == 1);
        time.advance(SECOND);
        return second;
    }

    private LockSnapshot inspected() {
        return here.admin().inspect("mails", LeaderElection.NAMESPACE);
    }

    private boolean evict(String id) {
        CompletableFuture<Boolean> evicted =
                CompletableFuture.supplyAsync(() -> there.admin().evict("mails", LeaderElection.NAMESPACE, id));
        time.advanceUntil(Duration.ofMillis(200), evicted::isDone);
        return evicted.join();
    }

    private void heardOf(String call) {
        heardOf(call, 1);
    }

    private void heardOf(String call, int times) {
        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            time.advance(Duration.ofMillis(200));
            return heard.stream().filter(call::equals).count() == times;
        });
    }

    private final class Teller implements LeaderListener {

        private final String name;

        Teller(String name) {
            this.name = name;
        }

        private void tell(String what) {
            threads.add(Thread.currentThread().getName());
            heard.add(name + " " + what);
        }

        @Override
        public void granted(Leadership leadership) {
            tell("granted");
        }

        @Override
        public void revoked(Leadership leadership) {
            tell("revoked");
        }

        @Override
        public void resigned(Leadership leadership) {
            tell("resigned");
        }
    }
}
