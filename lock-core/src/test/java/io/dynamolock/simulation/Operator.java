package io.dynamolock.simulation;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who has places in queues given up, of whichever process, now and then twice, or when it is too late. Strikes in seeds of
 * its own and by chance of its own: the other seeds are not changed by it.
 */
final class Operator {

    private record Asked(Member by, CompletableFuture<Boolean> answer) {}

    private final Cluster cluster;
    private final Workload workload;
    private final SplittableRandom random;
    private final int oneOf;
    private final List<Asked> asked = new ArrayList<>();
    private @Nullable LockKey lastKey;
    private @Nullable Entry lastPlace;

    private Operator(Cluster cluster, Workload workload, SplittableRandom random) {
        this.cluster = cluster;
        this.workload = workload;
        this.random = random;
        this.oneOf = 1 + random.nextInt(8);
    }

    /** In one of eight seeds. */
    static @Nullable Operator of(long seed, Cluster cluster, Workload workload) {
        return Math.floorMod(seed, 8) == 5 ? new Operator(cluster, workload, new SplittableRandom(~seed * 31)) : null;
    }

    /** Mostly a place that is there now. */
    void act() {
        List<Member> running = cluster.running();
        if (running.isEmpty() || random.nextInt(oneOf) > 0) {
            return;
        }
        Member by = running.get(random.nextInt(running.size()));
        LockKey key = workload.keys().get(random.nextInt(workload.keys().size()));
        List<Entry> queue = cluster.table().items().lock(key).queue();
        if (lastKey != null && lastPlace != null && random.nextInt(5) == 0) {
            evict(by, lastKey, lastPlace);
        } else if (!queue.isEmpty()) {
            evict(by, key, queue.get(random.nextInt(3) == 0 ? 0 : random.nextInt(queue.size())));
        }
    }

    private void evict(Member by, LockKey key, Entry place) {
        lastKey = key;
        lastPlace = place;
        BlockId block = place.block();
        cluster.history().add(by.name(), "is to have", key, place, "given up");
        EvictionReferee.Request request = cluster.evictions().asks(by, key, place);
        by.link.referee().mayLook(key);
        CompletableFuture<Boolean> answer = by.process.engine.evict(key, block);
        asked.add(new Asked(by, answer));
        answer.whenComplete((told, failure) -> {
            cluster.history().add(by.name(), "has", key, place, failure == null ? (told ? "told" : "gone") : "failed");
            if (failure == null) {
                cluster.evictions().isAnswered(request, told);
            } else {
                cluster.evictions().fails(request);
            }
        });
    }

    /** When all is well again. */
    void check() {
        for (Asked one : asked) {
            cluster.promises()
                    .check(
                            !one.by().isRunning() || one.answer().isDone(),
                            one.by().name() + " never says what became of an eviction");
        }
        cluster.evictions().noneIsLost(cluster.running());
    }
}
