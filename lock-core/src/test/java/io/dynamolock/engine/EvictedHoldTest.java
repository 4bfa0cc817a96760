package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.protocol.BlockId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An eviction meets the release of the same grant: whichever is first counts. */
class EvictedHoldTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Workbench bench = new Workbench();
    private final EngineContext context = bench.context();
    private final Session session =
            new Session(Workbench.sessionId(1), Workbench.SETTINGS, bench.clock, Session.Sending.now(bench.clock));
    private final BlockId id = Workbench.block(session.id(), 1);
    private final Block block = new Block(session, 1, List.of(caller()));
    private final Hold hold = new Hold();
    private final List<Duration> rests = new ArrayList<>();

    @Test
    void whatWasReleasedBeforeIsNoLossAndIsNotKeptAnyLonger() {
        GrantedLock grant = holds(MINUTE, 1);
        CompletableFuture<Boolean> released = grant.release();

        bench.run(() -> assertThat(hold.evict(block, 1)).isTrue());
        bench.time.settle();

        assertThat(rests).containsExactly(Duration.ZERO);
        assertThat(released).as("until the lock is passed on").isNotDone();
        bench.run(() -> {
            hold.leaves(block);
            hold.left(block, null);
        });
        assertThat(released).isCompletedWithValue(true);
        assertThat(bench.heard.events).containsExactly("released after PT0S");
    }

    @Test
    void whatWasReleasedAndKeptIsKeptNoLonger() {
        GrantedLock grant = holds(MINUTE, 1);
        grant.release();
        bench.time.settle();
        assertThat(hold.isOut(block)).isTrue();

        bench.run(() -> hold.evict(block, 1));

        assertThat(hold.isOut(block)).isFalse();
        assertThat(bench.heard.events).containsExactly("released after PT0S");
    }

    @Test
    void whatIsReleasedAfterwardsWasLost() {
        GrantedLock grant = holds(null, 1);

        bench.run(() -> hold.evict(block, 1));
        CompletableFuture<Boolean> released = grant.release();
        bench.time.settle();

        assertThat(released).isCompletedWithValue(false);
        assertThat(hold.needsNewNumber()).isTrue();
        assertThat(bench.heard.events).containsExactly("lost after PT0S: EVICTED");
    }

    @Test
    void whoWasNotCountedKeepsTheLock() {
        GrantedLock grant = holds(null, 2);

        bench.run(() -> assertThat(hold.evict(block, 1)).as("somebody has it").isTrue());

        assertThat(grant.isValid()).isTrue();
        assertThat(hold.isOut(block)).isTrue();
    }

    private static Caller caller() {
        AcquireSpec spec = new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, null);
        return new Caller(spec, left -> {}, 0, Instant.EPOCH, new HashSet<>());
    }

    private GrantedLock holds(Duration holdAtLeast, int joinedAs) {
        AcquireSpec spec = new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, holdAtLeast);
        GrantedLock grant = new GrantedLock(
                context,
                new Grants(bench.loop::execute),
                (released, over) -> rests.add(hold.release(released, over)),
                GrantTest.NO_DATA,
                spec,
                session,
                id,
                7,
                joinedAs);
        bench.run(() -> hold.grant(block, grant, limit -> () -> {}));
        return grant;
    }
}
