package io.dynamolock.engine;

import static io.dynamolock.engine.EngineBench.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.engine.Block.Stage;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Dispute;
import io.dynamolock.protocol.Pace;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Vigil;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the engine asserts of itself, and that its traffic keeps to its lanes. */
class ConfinementTest {

    private static final AcquireSpec SPEC = new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, null);

    private final EngineBench bench = EngineBench.started();

    // The event loop

    @Test
    void anEventOfALockThatDoesNotComeOnTheLoopIsAnError() {
        KeyQueue queue = queue();
        Caller caller = caller();
        List<Runnable> events = List.of(
                () -> queue.arrive(caller),
                () -> queue.left(caller),
                () -> queue.sessionLost(LossReason.SESSION_LOST),
                queue::goOn,
                () -> queue.leave(LossReason.CLOSED));

        for (Runnable event : events) {
            assertThatThrownBy(event::run).isInstanceOf(AssertionError.class);
            bench.bench.run(event);
        }
    }

    private KeyQueue queue() {
        EngineContext context = bench.bench.context();
        Vigil vigil = new Vigil(Duration.ofSeconds(20), Duration.ZERO, Duration.ZERO);
        PeerWatch peers = new PeerWatch(context, vigil, () -> {});
        SessionKeeper.Dependants nobody = (SessionKeeper.Dependants) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {SessionKeeper.Dependants.class},
                (proxy, method, arguments) -> method.getReturnType() == boolean.class ? false : null);
        EndedSessions ended = new EndedSessions(context, peers::markDead);
        EngineParts parts = new EngineParts(
                context,
                new SessionKeeper(context, ended, nobody),
                peers,
                new HeldLongWatch(context, peers::markDead),
                new Strays(context),
                new KeptLocks(context, peers, ended),
                ended,
                new Grants(bench.bench.loop::execute),
                vigil,
                new Pace(Duration.ofMillis(20), Duration.ofSeconds(1)));
        return new KeyGroup(KEY, parts, retired -> {}).queue(Kind.EXCLUSIVE);
    }

    private static Caller caller() {
        return new Caller(SPEC, left -> {}, 0, Instant.EPOCH, new HashSet<>());
    }

    // The stages of a block

    @ParameterizedTest
    @EnumSource(Stage.class)
    void aBlockGoesOnOnlyFromTheStageThatItIsIn(Stage wrong) {
        Session session = new Session(
                SessionId.of(1), EngineBench.SETTINGS, bench.bench.clock, Session.Sending.now(bench.bench.clock));
        Block block = new Block(session, 1, List.of(caller()));
        if (wrong != Stage.ASKING) {
            assertThatThrownBy(() -> block.to(wrong, Stage.WAITING))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is ASKING, not " + wrong);
            assertThat(block.is(Stage.ASKING)).isTrue();
        }
        block.to(Stage.ASKING, Stage.WAITING);

        assertThat(block.is(Stage.WAITING)).isTrue();
        assertThatThrownBy(block::rename).isInstanceOf(IllegalStateException.class);
    }

    // Lanes

    @Test
    void cleaningUpInTheBackgroundDelaysNoAskNoLookAndNoRelease() {
        bench.faults.next(StoreOperation.LOOK, Fault.STALLS, SessionStep.Raise.MOST);
        disputeUnknownBlocks();
        bench.time.advance(EngineBench.SETTINGS.heartbeat());
        int underWay = bench.faults.stalledCalls();
        assertThat(underWay).as("clean-up under way").isPositive();
        assertThat(underWay).as("the rest waits").isLessThan(SessionStep.Raise.MOST);
        bench.faults.heal();

        EngineBench.Stranger holder = bench.stranger(1).asks();
        Acquisition waiting = bench.acquireAndSettle();
        assertThat(bench.queue()).as("the ask").hasSize(2);
        holder.leaves();
        bench.time.advance(Duration.ofMillis(100));
        assertThat(waiting).as("looks").matches(Cluster::isGranted);
        bench.grantOf(waiting).release();
        bench.time.settle();

        assertThat(bench.queue()).as("the release").isEmpty();
        assertThat(bench.faults.stalledCalls()).isEqualTo(underWay);
    }

    private void disputeUnknownBlocks() {
        SessionId own = bench.table.sessionIds().iterator().next();
        for (int i = 0; i < SessionStep.Raise.MOST; i++) {
            LockKey key = new LockKey("stray-" + i, "default");
            Dispute dispute = new Dispute(key, new BlockId(own, 1_000 + i));
            bench.table.take(own, new SessionStep.Raise(dispute), bench.time.now());
        }
    }

    // Calls that nobody wants any more

    @Test
    void callsThatNobodyWantsAnyMoreAreNotSent() {
        int room = EngineBench.SETTINGS.maxCallsInFlight();
        bench.faults.next(StoreOperation.ASK, Fault.STALLS, room);
        for (int i = 0; i < room; i++) {
            bench.acquire(new LockKey("slow-" + i, "default"), AcquireSpec.FOREVER);
        }
        Acquisition unwanted = bench.acquireAndSettle();
        Acquisition wanted = bench.acquire(new LockKey("wanted", "default"), AcquireSpec.FOREVER);
        bench.time.settle();
        assertThat(bench.count(StoreOperation.ASK)).isEqualTo(room);
        unwanted.abandon();
        bench.time.settle();

        bench.faults.resume();
        bench.time.settle();

        assertThat(wanted).matches(Cluster::isGranted);
        assertThat(bench.count(StoreOperation.ASK)).isEqualTo(room + 1);
        assertThat(bench.queue()).isEmpty();
        bench.time.advance(Duration.ofSeconds(10));
        assertThat(bench.count(StoreOperation.LOOK)).as("nothing to take back").isZero();
    }
}
