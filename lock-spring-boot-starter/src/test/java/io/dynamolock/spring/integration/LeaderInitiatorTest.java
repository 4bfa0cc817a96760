package io.dynamolock.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockRegistry;
import io.dynamolock.StandIn;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.store.testing.Fault;
import io.dynamolock.internal.store.testing.FaultyLockStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DistributedLock;

/** Spring Integration elects a leader of two processes on one table. */
class LeaderInitiatorTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final InMemoryLockStore table = new InMemoryLockStore();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Process first = new Process("first");
    private final Process second = new Process("second");

    @AfterEach
    void stop() {
        first.stop();
        second.stop();
    }

    private final class Process extends DefaultCandidate {

        private final FaultyLockStore network = new FaultyLockStore(table);
        private final LockRegistry locks =
                RegistryBuilder.of(network).lease(Duration.ofSeconds(1)).build();
        private final AtomicInteger tries = new AtomicInteger();
        private final LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(this::lock, this);

        Process(String id) {
            super(id, "leader");
            initiator.setHeartBeatMillis(20);
            initiator.setBusyWaitMillis(20);
        }

        private DistributedLock lock(Object key) {
            tries.set(0);
            return StandIn.of(
                    DistributedLock.class, new IntegrationLockRegistry(locks).obtain(key), (method, arguments) -> {
                        if (method.equals("tryLock")) {
                            tries.incrementAndGet();
                        }
                        return null;
                    });
        }

        @Override
        public void onGranted(Context context) {
            told.add(getId() + " leads");
        }

        @Override
        public void onRevoked(Context context) {
            told.add(getId() + " led");
        }

        boolean leads() {
            return initiator.getContext().isLeader();
        }

        void awaitLeading() {
            await().atMost(LONG).until(this::leads);
        }

        /** Until so many have ended, which the beginning of the next one shows. */
        void awaitTries(int more) {
            int before = tries.get();
            await().atMost(LONG).until(() -> tries.get() > before + more);
        }

        void stop() {
            initiator.stop();
            network.heal();
            locks.close();
        }
    }

    /** The first to lead gives the lock back before it is told. */
    private void awaitTakeover() {
        second.awaitLeading();
        await().atMost(LONG).until(() -> told.size() >= 3);
        assertThat(told).containsExactlyInAnyOrder("first leads", "first led", "second leads");
        assertThat(first.leads()).isFalse();
    }

    @Test
    void oneLeadsAndGoesOnLeadingForManyHeartbeats() {
        first.initiator.start();
        first.awaitLeading();
        second.initiator.start();

        second.awaitTries(20);
        first.awaitTries(20);

        assertThat(told).containsExactly("first leads");
        assertThat(second.leads()).isFalse();
        assertThat(first.locks.admin().held()).hasSize(1);
    }

    private void firstLeadsAndSecondTries() {
        first.initiator.start();
        first.awaitLeading();
        second.initiator.start();
        second.awaitTries(1);
    }

    @Test
    void theOtherTakesOverFromOneThatStops() {
        firstLeadsAndSecondTries();

        first.initiator.stop();

        awaitTakeover();
    }

    @Test
    void theOtherTakesOverFromOneWhoseRegistryCloses() {
        firstLeadsAndSecondTries();

        first.locks.close();

        awaitTakeover();
    }

    @Test
    void theOtherTakesOverFromOneThatHasLostItsLockAndWhichCanLeadAgain() {
        firstLeadsAndSecondTries();

        first.network.everything(Fault.LOST_REQUEST);

        awaitTakeover();

        first.network.heal();
        second.awaitTries(5);
        assertThat(second.leads()).isTrue();
        second.initiator.stop();
        first.awaitLeading();
        await().atMost(LONG).until(() -> told.size() >= 5);
        assertThat(told.subList(3, 5)).containsExactlyInAnyOrder("second led", "first leads");
    }

    @Test
    void aLeaderThatYieldsLetsAnotherInstanceLead() {
        // The first tries again as soon as it has yielded, so the second has to stand in the queue when that happens.
        second.initiator.setHeartBeatMillis(2_000);
        firstLeadsAndSecondTries();

        first.initiator.getContext().yield();

        awaitTakeover();
    }
}
