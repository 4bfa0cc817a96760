package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Eviction;
import io.dynamolock.protocol.LockItem;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What this process has to do with one lock: a queue for each kind in which its callers want it. What one of them hears of
 * the lock, all hear: so they look at it together, and each leaves the entries of the others alone. Goes when its last
 * queue goes. Lives on the event loop.
 */
final class KeyGroup {

    final LockKey key;
    final EngineParts engine;
    final Outlook outlook;
    private final Consumer<KeyGroup> retired;
    private final Map<Kind, KeyQueue> queues = new EnumMap<>(Kind.class);

    /** @param retired told when nobody of this process wants the lock any more */
    KeyGroup(LockKey key, EngineParts engine, Consumer<KeyGroup> retired) {
        this.key = key;
        this.engine = engine;
        this.outlook = new Outlook(engine.context());
        this.retired = retired;
    }

    void arrive(Caller caller) {
        queue(caller.spec().kind()).arrive(caller);
    }

    /** The caller has ended its wait by itself. */
    void left(Caller caller) {
        queue(caller.spec().kind()).left(caller);
    }

    KeyQueue queue(Kind kind) {
        return queues.computeIfAbsent(kind, absent -> new KeyQueue(this, kind, this::retire));
    }

    private void retire(KeyQueue idle) {
        queues.values().remove(idle);
        if (queues.isEmpty()) {
            retired.accept(this);
        }
    }

    private List<KeyQueue> all() {
        return List.copyOf(queues.values());
    }

    private void tellOthers(KeyQueue teller, Consumer<KeyQueue> event) {
        // It may have ended while it was doing what it tells of.
        boolean isAlone = queues.size() == 1 && queues.containsValue(teller);
        if (!isAlone) {
            all().stream().filter(queue -> queue != teller).forEach(event);
        }
    }

    /** Another one may have waited for what this one was doing. */
    void isDone(KeyQueue teller) {
        tellOthers(teller, KeyQueue::goOn);
    }

    /** An answer about the lock has come to this queue. */
    void seen(KeyQueue hearer, LockItem item, long sentAt, boolean consistent) {
        outlook.seen(item, sentAt, consistent);
        hearer.shown(item, sentAt, consistent);
        findStrays(item, consistent);
        tellOthers(hearer, queue -> queue.on(() -> queue.shown(item, sentAt, consistent)));
    }

    /** The answer to a call that is no queue's own, and no eventually consistent look. */
    void seen(LockItem item, long sentAt) {
        outlook.seen(item, sentAt, true);
        findStrays(item, true);
        all().forEach(queue -> queue.on(() -> queue.shown(item, sentAt, true)));
    }

    /** Entries of this process that it does not know: a write that was given up has landed after all. */
    private void findStrays(LockItem item, boolean consistent) {
        List<BlockId> strays = item.queue().stream()
                .filter(entry -> engine.keeper().isOwn(entry.session()) && !knows(entry.block()))
                .map(Entry::block)
                .toList();
        if (consistent) {
            engine.strays().remove(key, strays, false);
        } else if (!strays.isEmpty()) {
            outlook.doubt();
        }
    }

    void failed(KeyQueue hearer, StoreFailure failure) {
        outlook.failed(failure);
        hearer.failImpatient(failure);
        if (failure.isForGood()) {
            // The others may look at nothing meanwhile.
            tellOthers(hearer, queue -> queue.on(() -> queue.failImpatient(failure)));
        }
    }

    /** Whether the block is one that may stand in the queue. */
    boolean knows(BlockId id) {
        for (KeyQueue queue : queues.values()) {
            if (queue.knows(id)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the block is one that waits, as far as this process knows: it may hold the lock already. */
    boolean waitsBy(BlockId id) {
        return queues.values().stream().anyMatch(queue -> queue.waitsBy(id));
    }

    /**
     * Obeys the eviction; false if the block is none that this process knows.
     *
     * @param item what a consistent look that was sent then has shown of the lock; {@code null} if there is nothing new
     */
    boolean evict(Eviction eviction, @Nullable LockItem item, long sentAt) {
        return all().stream().anyMatch(queue -> queue.evict(eviction, item, sentAt)) || knows(eviction.block());
    }

    /** Whether the block is one of a kind of which several may hold the lock. */
    boolean isShared(BlockId id) {
        return queues.entrySet().stream()
                .anyMatch(queue -> queue.getKey().mode() != io.dynamolock.internal.protocol.Mode.EXCLUSIVE
                        && queue.getValue().knows(id));
    }

    /** Whether callers of this process have the lock, or wait for it, in another way: nobody shares it with them. */
    boolean isTakenByOthersThan(Kind kind) {
        return queues.entrySet().stream()
                .anyMatch(other -> other.getKey() != kind && other.getValue().hasPlace());
    }

    /** Whether callers of this process still want the lock; once they do not, never again by this group. */
    boolean isInUse() {
        return !queues.isEmpty();
    }

    boolean needsSession() {
        return queues.values().stream().anyMatch(KeyQueue::needsSession);
    }

    void sessionNotStarted(StoreFailure failure) {
        all().forEach(queue -> queue.sessionNotStarted(failure));
    }

    void sessionLost(LossReason reason) {
        all().forEach(queue -> queue.sessionLost(reason));
    }

    void leave(LossReason why) {
        all().forEach(queue -> queue.leave(why));
    }

    /** Which of several blocks is nobody's, others cannot see. */
    void lookForStrays() {
        long sentAt = outlook.next();
        engine.context()
                .calls
                .send(
                        StoreCall.of(
                                Lane.BACKGROUND,
                                "look for strays",
                                () -> engine.context().store.look(key, true)),
                        item -> {
                            if (isInUse()) {
                                seen(item, sentAt);
                            }
                        },
                        failure -> {
                            // They ask again.
                        });
    }

    /** The session has begun, or something was found out about another process. */
    void goOn() {
        all().forEach(KeyQueue::goOn);
    }
}
