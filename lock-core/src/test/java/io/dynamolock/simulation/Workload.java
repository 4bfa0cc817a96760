package io.dynamolock.simulation;

import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.engine.Grant;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What users do: they ask for locks in all ways there are, hold them, give them back in time, late, twice or never. */
final class Workload {

    private final Cluster cluster;
    private final SplittableRandom random;
    private final @Nullable SplittableRandom fences;
    private final @Nullable Kinds kinds;
    private final List<LockKey> keys = new ArrayList<>();
    private final List<SimulatedCaller> callers = new ArrayList<>();
    private final int shareThatWaitsForever;
    private final int shareThatDoesNotWait;
    private final int oneOfHasMaxHold;
    private final int oneOfHasAFence;
    private final int longestBurst;
    private final long usualHold;
    private boolean ending;

    /**
     * @param fences decides who asks for a fence, {@code null} if nobody does
     * @param kinds decides as what callers want the lock, {@code null} if each wants it for itself alone
     */
    Workload(Cluster cluster, SplittableRandom random, @Nullable SplittableRandom fences, @Nullable Kinds kinds) {
        this.cluster = cluster;
        this.random = random;
        this.fences = fences;
        this.kinds = kinds;
        int count = 1 + random.nextInt(random.nextInt(3) == 0 ? 4 : 2);
        for (int i = 0; i < count; i++) {
            keys.add(new LockKey("k" + i, "default"));
        }
        shareThatWaitsForever = random.nextInt(10);
        shareThatDoesNotWait = random.nextInt(10);
        oneOfHasMaxHold = random.nextInt(3) == 0 ? 2 : 6;
        oneOfHasAFence = fences == null ? 0 : 1 + fences.nextInt(6);
        longestBurst = random.nextInt(8) == 0 ? 40 : 1 + random.nextInt(5);
        usualHold = 1 + cluster.lease().toNanos() / 1_000_000 / (random.nextBoolean() ? 20 : 200);
    }

    List<LockKey> keys() {
        return keys;
    }

    LockKey anyKey() {
        return keys.get(random.nextInt(keys.size()));
    }

    List<SimulatedCaller> callers() {
        return callers;
    }

    /** One thing that some user does now. */
    void act() {
        Member member = cluster.anyRunning();
        if (member == null) {
            return;
        }
        LockKey key = keys.get(random.nextInt(keys.size()));
        if (kinds != null) {
            resize(member, key, kinds.resizes());
        }
        switch (random.nextInt(16)) {
            case 0 -> abandonOne();
            case 1 -> releaseOne();
            case 2 -> lookAround(member, key);
            default -> {
                int count = random.nextInt(6) == 0 ? 1 + random.nextInt(longestBurst) : 1;
                for (int i = 0; i < count; i++) {
                    acquire(member, key);
                }
            }
        }
    }

    void acquire(Member member, LockKey key) {
        AcquireSpec spec = new AcquireSpec(key, "#" + callers.size(), waitLimit(), maxHold(), holdAtLeast());
        acquire(member, kinds == null ? spec : kinds.next(spec), null);
    }

    SimulatedCaller acquire(Member member, AcquireSpec spec, @Nullable Runnable onGrant) {
        SimulatedCaller caller =
                new SimulatedCaller(member, spec, callers.size(), cluster.time().nanos());
        callers.add(caller);
        member.add(caller);
        caller.afterShutdown = member.isShutDown();
        cluster.history()
                .add(
                        member.name(),
                        caller.name,
                        "wants",
                        spec.key(),
                        "for",
                        spec.waitLimit(),
                        spec.maxHold() == null ? "" : "maxHold " + spec.maxHold(),
                        spec.kind() == Kind.EXCLUSIVE ? "" : spec.kind(),
                        spec.permits() == 0 ? "" : spec.permits(),
                        spec.holdAtLeast() == null ? "" : "holdAtLeast " + spec.holdAtLeast());
        member.link.referee().mayLook(spec.key());
        caller.acquisition = member.process.engine.acquire(spec);
        caller.acquisition.outcome().thenAccept(outcome -> {
            try {
                decided(caller, outcome, onGrant);
            } catch (RuntimeException | Error failure) {
                // Else nobody would hear of it.
                cluster.promises().broken(caller + " fails when its wait ends: " + failure);
            }
        });
        if (onGrant == null && random.nextInt(12) == 0) {
            later(random.nextLong(cluster.lease().toNanos() / 4), () -> abandon(caller));
        }
        return caller;
    }

    private void decided(SimulatedCaller caller, AcquireOutcome outcome, @Nullable Runnable onGrant) {
        cluster.grants().decided(caller, outcome);
        if (outcome instanceof AcquireOutcome.Granted granted) {
            cluster.evictions().isGranted(caller);
            granted.grant().onLost(() -> toldOfLoss(caller));
            if (onGrant == null) {
                fence(caller);
                hold(caller);
                if (caller.kind == Kind.WRITE && kinds != null && kinds.downgrades()) {
                    later(kinds.within(usualHold * 1_000_000), () -> downgrade(caller));
                }
            } else {
                onGrant.run();
            }
        }
    }

    /** Most ask at once, some later, perhaps too late. */
    private void fence(SimulatedCaller caller) {
        if (fences != null && fences.nextInt(oneOfHasAFence) == 0) {
            if (fences.nextInt(3) > 0) {
                cluster.grants().asksForAFence(caller);
            } else {
                later(
                        fences.nextLong(usualHold * 2_000_000),
                        () -> cluster.grants().asksForAFence(caller));
            }
        }
    }

    private void resize(Member member, LockKey key, int permits) {
        if (permits > 0) {
            cluster.history().add(member.name(), "gives", key, permits, "permits");
            member.process.engine.resize(key, permits);
        }
    }

    private void downgrade(SimulatedCaller caller) {
        Grant grant = caller.grant;
        if (grant == null || caller.released || caller.abandoned || caller.member.process.isDead()) {
            return;
        }
        cluster.history().add(caller.member.name(), caller.name, "wants to go on as a reader of", caller.key());
        caller.isDowngrading = true;
        grant.downgrade().thenAccept(next -> {
            // If it has released the lock meanwhile, the call may land all the same.
            next.ifPresent(reader -> {
                caller.isDowngrading = false;
                cluster.counts().add("downgrades");
                cluster.history().add(caller.member.name(), caller.name, "goes on as a reader of", caller.key());
                caller.goesOn(reader);
                cluster.grants().goesOn(caller);
                reader.onLost(() -> toldOfLoss(caller));
            });
        });
    }

    private void toldOfLoss(SimulatedCaller caller) {
        caller.timesToldOfLoss++;
        if (!ending && random.nextInt(4) == 0 && caller.member.isRunning()) {
            acquire(caller.member, caller.key());
        }
    }

    private void hold(SimulatedCaller caller) {
        if (!ending && random.nextInt(20) == 0) {
            // A second lock while the first is held.
            acquire(caller.member, keys.get(random.nextInt(keys.size())));
        }
        if (ending) {
            later(random.nextLong(10_000_000), () -> release(caller));
            return;
        }
        switch (random.nextInt(12)) {
            case 0 -> release(caller);
            case 1 -> {
                // Until the end, or until it is lost.
                if (random.nextInt(4) > 0) {
                    later(random.nextLong(2 * cluster.lease().toNanos()), () -> release(caller));
                }
            }
            case 2 ->
                later(random.nextLong(usualHold * 1_000_000), () -> {
                    release(caller);
                    release(caller);
                });
            case 3 ->
                later(random.nextLong(usualHold * 1_000_000), () -> {
                    release(caller);
                    if (!ending && caller.member.isRunning()) {
                        acquire(caller.member, caller.key());
                    }
                });
            default -> later(random.nextLong(usualHold * 1_000_000), () -> release(caller));
        }
    }

    private void release(SimulatedCaller caller) {
        if (!caller.member.process.isDead()) {
            caller.release();
        }
    }

    private void abandon(SimulatedCaller caller) {
        if (caller.acquisition != null && !caller.member.process.isDead()) {
            cluster.history().add(caller.member.name(), caller.name, "is abandoned");
            caller.abandon(caller.acquisition);
        }
    }

    private void abandonOne() {
        if (!callers.isEmpty()) {
            SimulatedCaller caller = callers.get(Math.max(0, callers.size() - 1 - random.nextInt(20)));
            if (caller.isWaiting()) {
                abandon(caller);
            }
        }
    }

    private void releaseOne() {
        List<SimulatedCaller> valid = cluster.grants().valid();
        if (!valid.isEmpty()) {
            release(valid.get(random.nextInt(valid.size())));
        }
    }

    private void lookAround(Member member, LockKey key) {
        member.process.engine.held();
        member.process.engine.waiting();
        member.link.referee().mayLook(key);
        member.process.engine.inspect(key);
        for (SimulatedCaller caller : callers) {
            Grant grant = caller.grant;
            if (grant != null && random.nextInt(8) == 0) {
                grant.isValid();
            }
        }
    }

    /** Nobody asks for anything any more, and everyone gives back what they have. */
    void end() {
        ending = true;
        callers.forEach(this::release);
    }

    private Duration waitLimit() {
        int draw = random.nextInt(20);
        if (draw < shareThatDoesNotWait) {
            return Duration.ZERO;
        }
        if (draw < shareThatDoesNotWait + shareThatWaitsForever) {
            return AcquireSpec.FOREVER;
        }
        if (random.nextInt(6) == 0) {
            return Duration.ofMillis(1 + random.nextInt(10));
        }
        return Duration.ofMillis(1 + random.nextLong(cluster.lease().toMillis() * (random.nextInt(4) == 0 ? 3 : 1)));
    }

    private @Nullable Duration maxHold() {
        return random.nextInt(oneOfHasMaxHold) == 0 ? Duration.ofMillis(1 + random.nextLong(usualHold * 2)) : null;
    }

    private @Nullable Duration holdAtLeast() {
        return random.nextInt(12) == 0 ? Duration.ofMillis(random.nextLong(usualHold)) : null;
    }

    private void later(long nanos, Runnable step) {
        cluster.time().schedule(step, Duration.ofNanos(nanos));
    }
}
