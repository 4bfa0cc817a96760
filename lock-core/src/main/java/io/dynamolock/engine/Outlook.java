package io.dynamolock.engine;

import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What this process knows of a lock from the store's answers. Lives on the event loop. */
final class Outlook {

    /** A shorter wait may be over before a healthy store has answered. */
    private static final Duration SILENCE = Duration.ofSeconds(1);

    /** A queue that slows down is believed by one part in so many. */
    private static final int SLOWER = 8;

    private final EngineContext context;
    private LockItem item = LockItem.ABSENT;
    private @Nullable BlockId first;
    private long firstSince;
    private @Nullable Instant firstSeen;
    private Duration perBlock;
    private long order;
    private long lastAnswered;
    private boolean unanswered;
    private long unansweredSince;
    private long lastAnswer;
    private boolean heard;
    private @Nullable StoreFailure failure;
    private boolean doubtful;
    private boolean lookedAt;

    Outlook(EngineContext context) {
        this.context = context;
        this.perBlock = context.settings.pollMin();
    }

    /** A call about the lock is sent. */
    long sending() {
        if (!unanswered) {
            unanswered = true;
            unansweredSince = context.time.nanos();
        }
        return next();
    }

    /** Whether the store was asked and has answered nothing since. Nobody asks all the time. */
    private boolean isSilent() {
        return unanswered && context.since(unansweredSince).compareTo(SILENCE) >= 0;
    }

    /** Puts sendings and answers into one order. */
    long next() {
        return ++order;
    }

    /** The item as it was last seen. */
    LockItem item() {
        return item;
    }

    /** Whether a call that was sent after this, in the order of {@link #next()}, has been answered. */
    boolean hasAnswered(long since) {
        return lastAnswered >= since;
    }

    /** An answer has come. An older look than the last answer shows nothing new. */
    void seen(LockItem seen, long sentAt, boolean consistent) {
        failure = null;
        lastAnswered = Math.max(lastAnswered, sentAt);
        boolean isOlder = !consistent && seen.tail() < item.tail();
        // Either the look is older or somebody has deleted the item: a consistent look will tell.
        doubtful = isOlder;
        if (!isOlder) {
            moved(seen);
            item = seen;
        }
        heard();
    }

    private void heard() {
        heard = true;
        unanswered = false;
        lastAnswer = context.time.nanos();
    }

    private void moved(LockItem seen) {
        Entry now = seen.first();
        BlockId nowFirst = now == null ? null : now.block();
        if (nowFirst == null || !nowFirst.equals(first)) {
            int gone = nowFirst == null ? -1 : item.indexOf(nowFirst);
            if (gone > 0) {
                wentIn(context.since(lastAnswer).dividedBy(gone));
            }
            first = nowFirst;
            firstSince = context.time.nanos();
            firstSeen = nowFirst == null ? null : context.time.now();
        }
    }

    /** Queues move in fits and starts. A process that trusted the starts would be late when it is its turn. */
    private void wentIn(Duration sample) {
        Duration slower = sample.minus(perBlock);
        perBlock = slower.isNegative() ? sample : perBlock.plus(slower.dividedBy(SLOWER));
    }

    /** Whether the next look has to be consistent. */
    boolean isDoubtful() {
        return doubtful;
    }

    void doubt() {
        doubtful = true;
    }

    /** Whether a look is under way. */
    boolean isLookedAt() {
        return lookedAt;
    }

    void lookedAt(boolean underWay) {
        lookedAt = underWay;
    }

    /** How long the block that is first has been seen there. */
    Duration sameFirst() {
        return first == null ? Duration.ZERO : context.since(firstSince);
    }

    /** The wall clock when the first block was first seen there. */
    @Nullable
    Instant firstSeen() {
        return firstSeen;
    }

    /** How long a block at the front has taken lately. */
    Duration perBlock() {
        return perBlock;
    }

    void failed(StoreFailure why) {
        if (why.kind() == StoreFailure.Kind.CONFLICTED) {
            // The store is there, and somebody works under the lock.
            heard();
        } else {
            failure = why;
        }
    }

    /** Why a caller has waited in vain, if it was not because the lock is busy. */
    @Nullable
    StoreFailure failureFor(Caller caller) {
        if (failure != null) {
            return failure;
        }
        Duration waited = context.since(caller.startedNanos());
        boolean answeredSince = heard && (lastAnswer - caller.startedNanos() >= 0 || !isSilent());
        if (answeredSince || waited.compareTo(SILENCE) < 0) {
            return null;
        }
        return new StoreFailure(
                StoreFailure.Kind.UNAVAILABLE,
                "The store has answered nothing for " + waited + ": check the network to it",
                null);
    }
}
