package io.dynamolock.simulation;

import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.protocol.Entry;
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
            fromManyDead();
        }
        if (promises.areKept()) {
            fromTheStopped();
        }
        if (promises.areKept()) {
            fromOneThatKeeps();
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
        Duration limit = untilBuried(holder, heir, 1).plus(atTheDoor(heir, 1));
        boolean inherited = await(() -> waits.grant != null, limit);
        check(inherited, "the lock of a dead process is not passed on within " + limit);
        waits.release();
        cluster.advance(Duration.ofSeconds(1));
    }

    /** However many die together, the next who lives has the lock within two leases. */
    private void fromManyDead() {
        LockKey key = key("inherited from many");
        List<Member> dead = new ArrayList<>();
        Duration limit = Duration.ZERO;
        for (int i = 0; i < 3; i++) {
            Member member = cluster.start("ancestor " + i);
            hasASession(member);
            dead.add(member);
        }
        Member heir = cluster.start("survivor");
        hasASession(heir);
        for (Member member : dead) {
            wants(key, member, "stood before");
            cluster.advance(Duration.ofMillis(200));
            Duration own = untilBuried(member, heir, 2);
            limit = own.compareTo(limit) > 0 ? own : limit;
        }
        limit = limit.plus(atTheDoor(heir, dead.size()));
        SimulatedCaller waits = wants(key, heir, "waits behind many");
        cluster.advance(lease.dividedBy(1 + random.nextInt(20)));
        dead.forEach(this::kill);
        boolean inherited = await(() -> waits.grant != null, limit);
        check(inherited, "the lock of " + dead.size() + " dead processes is not passed on within " + limit);
        waits.release();
        cluster.advance(Duration.ofSeconds(1));
    }

    /** How much longer it takes if the queue is full with so many: at the door, a process looks seldom. */
    private static Duration atTheDoor(Member heir, int queued) {
        EngineSettings settings = heir.link.settings();
        return queued < settings.maxQueue() ? Duration.ZERO : settings.pollMax().multipliedBy(12);
    }

    private static Duration untilBuried(Member dead, Member heir, int leases) {
        EngineSettings settings = dead.link.settings();
        return settings.lease()
                .plus(settings.lease().dividedBy(16))
                .plus(heir.link.settings().lockDelay())
                .multipliedBy(leases)
                .plus(heir.link.settings().pollMax())
                .plusMillis(1500);
    }

    /**
     * One holds a lock and stops. The next in line has died long before, and the one ahead of that has left; one who
     * waits has the lock soon, and callers who waited in the stopped process are told.
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
        // Who stands further back begins to watch later.
        Duration watches = heir.link.settings().lease().dividedBy(8);
        cluster.advance(untilBuried(ailing, heir, 1).plus(watches).plusSeconds(2));
        List<SimulatedCaller> entering = arriveInTheLastMoment(holder, heir);
        stop(holder);
        cluster.history().add(holder.name(), "stops while", held.name, "holds", key);
        Duration limit = heir.link.settings().pollMax().plusMillis(1000).plus(atTheDoor(heir, 3));
        boolean handedDown = await(() -> waits.grant != null, limit);
        check(handedDown, "the lock of a stopped process is not passed on within " + limit);
        check(colleague.outcome instanceof AcquireOutcome.Closed, colleague + " waits in a process that has stopped");
        waits.release();
        cluster.advance(Duration.ofSeconds(1));
        noEntryOf(holder, key);
        entering.forEach(caller -> noEntryOf(holder, caller.key()));
    }

    /** One is to hold a lock for so long, releases it before, and stops; one who waits has it then, and not before. */
    private void fromOneThatKeeps() {
        LockKey key = key("kept");
        Member holder = cluster.start("keeper");
        Member heir = cluster.start("patient");
        hasASession(heir);
        Duration atLeast = lease.dividedBy(1 + random.nextInt(8));
        SimulatedCaller held = workload.acquire(
                holder, new AcquireSpec(key, "held for so long", AcquireSpec.FOREVER, null, atLeast), () -> {});
        await(() -> held.grant != null, lease.plusSeconds(5));
        long grantedAt = cluster.time().nanos();
        SimulatedCaller waits = wants(key, heir, "waits for its time");
        held.release();
        cluster.advance(atLeast.dividedBy(2 + random.nextInt(8)));
        stop(holder);
        cluster.history().add(holder.name(), "stops, and is to keep", key, "for", atLeast);
        // Clocks may go a little too fast or too slowly.
        Duration tolerance = atLeast.dividedBy(5);
        Duration elapsed = Duration.ofNanos(cluster.time().nanos() - grantedAt);
        boolean early =
                await(() -> waits.grant != null, atLeast.minus(tolerance).minus(elapsed));
        check(!early, "the lock of a stopped process is passed on before it has been kept for " + atLeast);
        EngineSettings settings = heir.link.settings();
        Duration limit = tolerance
                .multipliedBy(2)
                .plus(settings.lease().dividedBy(8))
                .plus(settings.lockDelay())
                .plus(settings.pollMax())
                .plusSeconds(4)
                .plus(atTheDoor(heir, 2));
        boolean passedOn = await(() -> waits.grant != null, limit);
        check(passedOn, "a lock that was kept long enough is not passed on within " + limit);
        waits.release();
        cluster.advance(Duration.ofSeconds(1));
    }

    private void stop(Member member) {
        cluster.journal().stops(member.name());
        member.shutdown = member.process.engine.shutdown();
    }

    /** One who waits and leaves is no longer in the queue. */
    private void leavesNoTrace(LockKey key, Member member) {
        SimulatedCaller leaves = wants(key, member, "leaves");
        cluster.advance(Duration.ofSeconds(1));
        if (leaves.acquisition != null) {
            leaves.abandon(leaves.acquisition);
        }
        cluster.advance(Duration.ofSeconds(1));
        noEntryOf(member, key);
    }

    /** Callers whose asks are under way when their process stops. */
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

    private void noEntryOf(Member member, LockKey key) {
        for (Entry entry : cluster.table().items().lock(key).queue()) {
            check(
                    !cluster.traces().owner(entry.session()).equals(member.name()),
                    "nobody of " + member.name() + " wants " + key + " any more, but its entry is left");
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
        cluster.journal().dies(member.name());
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
