package io.dynamolock.simulation;

import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** When all is well again: everyone who waits is served, nothing is stuck, nothing is left, nobody is busy. */
final class Aftermath {

    private final SplittableRandom random;
    private final @Nullable Operator operator;
    private final Cluster cluster;
    private final Workload workload;
    private final Promises promises;
    private final Items items;
    private final Duration lease;
    private final Counts counts;

    /** @param operator who has had places given up, if anybody has */
    Aftermath(Cluster cluster, Workload workload, SplittableRandom random, @Nullable Operator operator) {
        this.operator = operator;
        this.random = random;
        this.cluster = cluster;
        this.workload = workload;
        this.promises = cluster.promises();
        this.items = cluster.table().items();
        this.lease = cluster.lease();
        this.counts = cluster.counts();
    }

    void check() {
        heal();
        everyoneIsServed();
        whatTravelsLands();
        nothingIsHeldOrQueued();
        nobodyIsBusy();
        if (operator != null) {
            operator.check();
        }
        everyCallerWasHeardOf();
        newcomersGetEveryLock();
        if (promises.areKept()) {
            new Succession(cluster, workload, random).check();
        }
        sessionsAreOver();
    }

    private void heal() {
        cluster.faults().heal();
        cluster.network().heal();
        for (Member member : cluster.members()) {
            member.process.slow(Duration.ZERO);
            member.process.thaw();
            member.process.clock().correctWallClock();
        }
        cluster.history().add("all", "healed");
        workload.end();
    }

    private boolean await(BooleanSupplier condition, Duration limit) {
        cluster.time().advanceUntil(() -> condition.getAsBoolean() || !promises.areKept(), limit);
        return condition.getAsBoolean();
    }

    private void everyoneIsServed() {
        boolean all = await(cluster::nobodyWaits, lease.multipliedBy(60).plusMinutes(2));
        if (!all) {
            List<SimulatedCaller> stuck = workload.callers().stream()
                    .filter(caller -> caller.isWaiting() && !caller.member.process.isDead())
                    .toList();
            promises.broken("still waiting at the end: " + stuck
                    + describe(
                            stuck.isEmpty() ? List.of() : List.of(stuck.get(0).key())));
        }
    }

    private void whatTravelsLands() {
        cluster.time()
                .advanceUntil(() -> cluster.network().travelling() == 0 || !promises.areKept(), lease.multipliedBy(30));
        cluster.advance(lease.multipliedBy(4).plusSeconds(5));
    }

    private void nothingIsHeldOrQueued() {
        for (LockKey key : workload.keys()) {
            for (Entry entry : items.lock(key).queue()) {
                promises.check(
                        cluster.traces().mayBeLeft(entry),
                        entry + " of " + cluster.traces().owner(entry.session()) + " is left" + describe(List.of(key)));
                counts.add("strays at the end");
            }
        }
        for (Member member : cluster.members()) {
            if (member.isRunning()) {
                promises.check(
                        member.process.engine.held().isEmpty() && member.process.engine.waiting() == 0,
                        member.name() + " still holds " + member.process.engine.held() + ", and "
                                + member.process.engine.waiting() + " callers wait");
                // Its next heartbeat and the end of its session; a heartbeat under way has more.
                promises.check(
                        await(() -> member.process.timers() <= 2, Duration.ofSeconds(1)) || !promises.areKept(),
                        member.name() + " is idle and still has " + member.process.timers() + " timers");
            }
            if (member.shutdown != null) {
                promises.check(member.shutdown.isDone(), member.name() + " does not come to the end of its shutdown");
            }
        }
    }

    private String describe(List<LockKey> keys) {
        StringBuilder text = new StringBuilder();
        for (LockKey key : keys) {
            text.append("; ").append(key).append(": ").append(items.lock(key));
        }
        return text.toString();
    }

    /** Sends nothing but one heartbeat for each interval. */
    private void nobodyIsBusy() {
        Duration watched = lease.multipliedBy(2);
        List<Member> idle = cluster.running();
        List<Map<StoreOperation, Integer>> before =
                idle.stream().map(member -> member.link.referee().sent()).toList();
        List<Optional<SessionId>> sessions =
                idle.stream().map(member -> Optional.ofNullable(member.session)).toList();
        cluster.advance(watched);
        for (int i = 0; i < idle.size(); i++) {
            Member member = idle.get(i);
            Map<StoreOperation, Integer> sent = member.link.referee().sent();
            // The healing of its clock may end a session.
            boolean hadSession = member.session != null
                    && member.session.equals(sessions.get(i).orElse(null));
            for (Map.Entry<StoreOperation, Integer> entry : sent.entrySet()) {
                int more = entry.getValue() - before.get(i).getOrDefault(entry.getKey(), 0);
                if (entry.getKey() == StoreOperation.BEAT) {
                    double due = watched.toNanos()
                            / (double) member.link.settings().heartbeat().toNanos();
                    promises.check(
                            !hadSession || Math.abs(more - due) <= 1.5,
                            member.name() + " has sent " + more + " heartbeats in " + watched);
                } else {
                    boolean endsWhatWasLost = entry.getKey() == StoreOperation.END_SESSION && !hadSession && more == 1;
                    promises.check(
                            more == 0 || endsWhatWasLost, member.name() + " is idle and sends " + entry.getKey());
                }
            }
        }
    }

    private void everyCallerWasHeardOf() {
        workload.callers().forEach(cluster.grants()::heardOf);
    }

    private void newcomersGetEveryLock() {
        Member newcomer = cluster.start("newcomer");
        LockKey fresh = new LockKey("fresh", "default");
        takes(newcomer, fresh, lease.plusSeconds(5));
        for (LockKey key : workload.keys()) {
            takes(newcomer, key, lease.multipliedBy(40).plusMinutes(1));
            promises.check(
                    items.lock(key).queue().isEmpty(), "something is left in the queue" + describe(List.of(key)));
        }
        // Until it has stopped watching those who were ahead.
        cluster.advance(newcomer.link
                .settings()
                .pollMax()
                .multipliedBy(3)
                .plusSeconds(5)
                .plus(lease));
        Map<StoreOperation, Integer> before = newcomer.link.referee().sent();
        takes(newcomer, fresh, Duration.ofSeconds(2));
        Map<StoreOperation, Integer> after = newcomer.link.referee().sent();
        for (StoreOperation operation : StoreOperation.values()) {
            int sent = after.getOrDefault(operation, 0) - before.getOrDefault(operation, 0);
            int due = operation == StoreOperation.ASK || operation == StoreOperation.LEAVE ? 1 : 0;
            promises.check(
                    sent == due || operation == StoreOperation.BEAT,
                    "a lock that nobody else wants costs " + sent + " times " + operation);
        }
    }

    private void takes(Member member, LockKey key, Duration limit) {
        if (!promises.areKept()) {
            return;
        }
        SimulatedCaller caller = workload.acquire(
                member,
                new AcquireSpec(key, "newcomer " + key + cluster.time().nanos(), AcquireSpec.FOREVER, null, null),
                () -> {});
        if (!await(() -> caller.outcome != null, limit)) {
            promises.broken("a newcomer does not get " + key + " within " + limit + describe(List.of(key)));
        }
        promises.check(
                caller.outcome instanceof AcquireOutcome.Granted || !promises.areKept(),
                "a newcomer does not get " + key + ": " + caller.outcome);
        caller.release();
        cluster.advance(Duration.ofSeconds(1));
    }

    private void sessionsAreOver() {
        List<SessionId> sessions = items.sessions().stream()
                .sorted(Comparator.comparing(SessionId::value))
                .toList();
        for (SessionId id : sessions) {
            boolean inUse = cluster.running().stream().anyMatch(member -> id.equals(member.session));
            promises.check(
                    inUse || cluster.traces().mayBeLeft(id),
                    "a session of " + cluster.traces().owner(id) + " is left");
        }
    }
}
