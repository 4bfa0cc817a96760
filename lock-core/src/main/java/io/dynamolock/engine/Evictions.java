package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SafeText;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Eviction;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has places in queues given up: by the process that has them, because only that knows its callers. It is told by its session's
 * item, and hears of it with its next beat. Nobody but that process touches the lock's item. Lives on the event loop.
 */
final class Evictions {

    private static final Logger log = LoggerFactory.getLogger(Evictions.class);

    private static final int ATTEMPTS = 3;

    private final EngineContext context;
    private final SessionKeeper keeper;
    private final PeerWatch peers;
    private final Strays strays;
    private final Function<LockKey, @Nullable KeyGroup> groups;

    /** @param groups what this process has to do with a lock, if anything */
    Evictions(EngineParts parts, Function<LockKey, @Nullable KeyGroup> groups) {
        this.context = parts.context();
        this.keeper = parts.keeper();
        this.peers = parts.peers();
        this.strays = parts.strays();
        this.groups = groups;
    }

    /** Completes with whether the place is there and its process is told. */
    void evict(LockKey key, BlockId id, CompletableFuture<Boolean> result) {
        assert context.loop.isCurrent();
        long sentAt = sending(groups.apply(key));
        context.calls.send(
                StoreCall.of(Lane.LOCK, "evict", () -> context.store.look(key, true))
                        .whoeverIsPaused(),
                item -> {
                    int place = item.indexOf(id);
                    if (place < 0) {
                        result.complete(false);
                    } else {
                        Eviction eviction = Eviction.of(key, item.queue().get(place), context.random.nextLong());
                        tell(eviction, item, sentAt, result);
                    }
                },
                result::completeExceptionally);
    }

    private static long sending(@Nullable KeyGroup group) {
        return group == null ? 0 : group.outlook.next();
    }

    private void tell(Eviction eviction, LockItem item, long sentAt, CompletableFuture<Boolean> result) {
        SessionId session = eviction.block().session();
        if (keeper.isOwn(session)) {
            obey(eviction, item, sentAt);
            result.complete(true);
        } else {
            write(session, new SessionStep.Evict(eviction), 1, answer -> told(session, answer, result), result);
        }
    }

    private void told(SessionId session, Answer<Optional<SessionItem>> answer, CompletableFuture<Boolean> result) {
        SessionItem item = answer.item().orElse(null);
        if (answer.isApplied()) {
            result.complete(true);
        } else if (item == null) {
            peers.markDead(session);
            result.complete(false);
        } else if (item.keptUntil() != null) {
            // Its process has stopped and nobody has the lock by it, so nobody has to be told before it is taken for
            // dead.
            Consumer<Answer<Optional<SessionItem>>> buried = gone -> {
                if (gone.isApplied()) {
                    peers.markDead(session);
                }
                result.complete(gone.isApplied());
            };
            write(session, new SessionStep.Bury(item.beat()), 1, buried, result);
        } else {
            result.completeExceptionally(new StoreFailure(
                    StoreFailure.Kind.THROTTLED,
                    SafeText.quote(item.owner()) + " has not answered "
                            + item.evictions().size()
                            + " earlier evictions yet, which it does with each heartbeat, so it was not told of this one. Try again in a while.",
                    null));
        }
    }

    /** The same write again, whatever became of the one before: an eviction is obeyed once. */
    private void write(
            SessionId session,
            SessionStep step,
            int attempt,
            Consumer<Answer<Optional<SessionItem>>> answered,
            CompletableFuture<Boolean> result) {
        context.calls.send(
                StoreCall.of(Lane.LOCK, "evict", () -> context.store.take(session, step, context.time.now()))
                        .whoeverIsPaused(),
                answered,
                failure -> {
                    if (attempt < ATTEMPTS && !failure.isForGood()) {
                        context.loop.schedule(
                                () -> write(session, step, attempt + 1, answered, result),
                                context.backoff.delay(attempt, failure));
                    } else {
                        result.completeExceptionally(failure);
                    }
                });
    }

    /** Another process has told of it. If the place may hold the lock by now, that is found out first: then only one has to go. */
    void hear(Eviction eviction) {
        KeyGroup group = groups.apply(eviction.key());
        if (group == null || !group.waitsBy(eviction.block())) {
            obey(eviction, null, 0);
            return;
        }
        long sentAt = sending(group);
        context.calls.send(
                StoreCall.of(Lane.LOCK, "look before evicting", () -> context.store.look(eviction.key(), true)),
                item -> obey(eviction, item, sentAt),
                failure -> obey(eviction, null, 0));
    }

    /** Gives up the place that this process has, or may have without knowing. */
    private void obey(Eviction eviction, @Nullable LockItem item, long sentAt) {
        if (!keeper.isOwn(eviction.block().session())) {
            // It is lost with its session.
            return;
        }
        log.info(
                "An operator wants a place of this process in the queue of a lock given up: block {}",
                eviction.block());
        log.debug(
                "The lock of block {} is {}",
                eviction.block(),
                SafeText.quote(eviction.key().toString()));
        KeyGroup group = groups.apply(eviction.key());
        if (group == null || !group.evict(eviction, item, sentAt)) {
            strays.remove(eviction.key(), eviction.block(), false);
        }
    }
}
