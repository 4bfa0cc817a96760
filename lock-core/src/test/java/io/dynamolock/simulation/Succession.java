package io.dynamolock.simulation;

import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.engine.AcquireSpec;
import io.dynamolock.engine.EngineSettings;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.WaiterRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** When nothing else goes wrong: who takes over from the dead, from those who stop and from those who leave, and when. */
final class Succession {

    private final Cluster cluster;
    private final Workload workload;
    private final Promises promises;
    private final SplittableRandom random;
    private final Duration lease;

    Succession(Cluster cluster, Workload workload, SplittableRandom random) {
        this.cluster = cluster;
        this.workload = workload;
        this.promises = cluster.promises();
        this.random = random;
        this.lease = cluster.lease();
    }

    void check() {
        fromTheDead();
        if (promises.areKept()) {
            fromTheStopped();
        }
    }

    /** One holds a lock and dies; one who waits has it within a lease. */
    private void fromTheDead() {
        LockKey key = key("inherited");
        Member holder = cluster.start("testator");
        Member heir = cluster.start("heir");
        hasASession(heir);
        SimulatedCaller held = wants(key, holder, "held");
        await(() -> held.grant != null, lease.plusSeconds(5));
        SimulatedCaller waits = wants(key, heir, "waits");
        cluster.advance(lease);
        kill(holder);
        EngineSettings dead = holder.link.settings();
        Duration limit = dead.lease()
                .plus(dead.lease().dividedBy(16))
                .plus(heir.link.settings().lockDelay())
                .plus(heir.link.settings().pollMax())
                .plusMillis(1500);
        boolean inherited = await(() -> waits.grant != null, limit);
        check(inherited, "the lock of a dead process is not passed on within " + limit);
        waits.release();
        cluster.advance(Duration.ofSeconds(1));
    }

    /**
     * One holds a lock and stops. The next in line has died long before, and whoever was ahead of that one has left; one
     * who waits has the lock soon, and who waited in the stopped process is told.
     */
    private void fromTheStopped() {
        LockKey key = key("handed down");
        Member holder = cluster.start("retiring");
        Member heir = cluster.start("successor");
        Member ailing = cluster.start("ailing");
        hasASession(heir);
        hasASession(ailing);
        SimulatedCaller held = wants(key, holder, "held until the stop");
        await(() -> held.grant != null, lease.plusSeconds(5));
        leavesNoTrace(key, heir);
        wants(key, ailing, "waits until death");
        cluster.advance(Duration.ofSeconds(1));
        SimulatedCaller waits = wants(key, heir, "waits for the stop");
        SimulatedCaller colleague = wants(key, holder, "waits in vain");
        kill(ailing);
        EngineSettings dead = ailing.link.settings();
        cluster.advance(dead.lease()
                .plus(dead.lease().dividedBy(16))
                .plus(heir.link.settings().lockDelay())
                .plusSeconds(3));
        List<SimulatedCaller> entering = arriveInTheLastMoment(holder, heir);
        holder.shutdown = holder.process.engine.shutdown();
        cluster.history().add(holder.name(), "stops while", held.name, "holds", key);
        // Who looks seldom learns of it from the session, which it reads when the next beat is due.
        Duration limit = holder.link
                .settings()
                .heartbeat()
                .plus(holder.link.settings().lease().dividedBy(16))
                .plusMillis(1500);
        boolean handedDown = await(() -> waits.grant != null, limit);
        check(handedDown, "the lock of a stopped process is not passed on within " + limit);
        check(colleague.outcome instanceof AcquireOutcome.Closed, colleague + " waits in a process that has stopped");
        waits.release();
        cluster.advance(Duration.ofSeconds(1));
        entering.forEach(caller -> noRowOf(holder, caller.key()));
    }

    /** One who waits and leaves is no longer in the queue. */
    private void leavesNoTrace(LockKey key, Member member) {
        SimulatedCaller leaves = wants(key, member, "leaves");
        cluster.advance(Duration.ofSeconds(1));
        if (leaves.acquisition != null) {
            leaves.abandon(leaves.acquisition);
        }
        cluster.advance(Duration.ofSeconds(1));
        noRowOf(member, key);
    }

    /** Callers whose numbers are being taken, or whose rows are being written, when their process stops. */
    private List<SimulatedCaller> arriveInTheLastMoment(Member member, Member holder) {
        List<SimulatedCaller> entering = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            SimulatedCaller holds = wants(key("taken " + i), holder, "holds " + i);
            await(() -> holds.grant != null, Duration.ofSeconds(5));
        }
        for (int i = 0; i < 3; i++) {
            entering.add(wants(key("taken " + i), member, "enters " + i));
            cluster.advance(Duration.ofMillis(random.nextInt(30)));
        }
        return entering;
    }

    private void noRowOf(Member member, LockKey key) {
        for (WaiterRow row : cluster.table().items().rows(key)) {
            check(
                    !cluster.traces().owner(row.claimant().session()).equals(member.name()),
                    "nobody of " + member.name() + " waits for " + key + " any more, but its row is left");
        }
    }

    private void hasASession(Member member) {
        SimulatedCaller caller = wants(key("of " + member.name()), member, "the first");
        check(await(() -> caller.grant != null, lease.plusSeconds(5)), caller + " does not get what nobody else wants");
        caller.release();
        cluster.advance(Duration.ofSeconds(1));
    }

    private void kill(Member member) {
        member.process.kill();
        cluster.traces().goneInAHurry(member.name());
        cluster.history().add(member.name(), "is killed");
    }

    private SimulatedCaller wants(LockKey key, Member member, String name) {
        return workload.acquire(member, new AcquireSpec(key, name, AcquireSpec.FOREVER, null, null), () -> {});
    }

    private static LockKey key(String name) {
        return new LockKey(name, "default");
    }

    private boolean await(BooleanSupplier condition, Duration limit) {
        cluster.time().advanceUntil(() -> condition.getAsBoolean() || !promises.areKept(), limit);
        return condition.getAsBoolean();
    }

    /** Once a promise is broken, nothing goes on. */
    private void check(boolean kept, String promise) {
        promises.check(kept || !promises.areKept(), promise);
    }
}
