package io.dynamolock.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Step;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The user's data of one lock: what is known of it, and the writes of the caller that holds the lock, one at a time. Lives
 * on the event loop.
 */
final class HeldData implements StoredData {

    /** A write, until its end is known. */
    private static final class Put {

        private final GrantedLock grant;
        private final Block block;
        private final LockData data;
        private final CompletableFuture<Boolean> written;
        private boolean mayLandLate;

        Put(GrantedLock grant, Block block, LockData data, CompletableFuture<Boolean> written) {
            this.grant = grant;
            this.block = block;
            this.data = data;
            this.written = written;
        }
    }

    private final Holds hold;
    private final Line line;
    private final KeyCalls calls;
    private final Queue<Put> waiting = new ArrayDeque<>(1);
    private @Nullable Put current;
    private LockItem known = LockItem.ABSENT;

    HeldData(Holds hold, Line line, KeyCalls calls) {
        this.hold = hold;
        this.line = line;
        this.calls = calls;
    }

    /** An item has been seen, which may be older than the last one. */
    void seen(LockItem item) {
        // An item that was made anew has greater tickets.
        if (item.tail() > known.tail() || (item.tail() == known.tail() && item.puts() >= known.puts())) {
            known = item;
        }
    }

    @Override
    public LockData known() {
        return known.data();
    }

    @Override
    public void put(GrantedLock grant, LockData data, CompletableFuture<Boolean> written) {
        Block block = line.holding();
        if (block == null || !holds(grant)) {
            written.complete(false);
            return;
        }
        waiting.add(new Put(grant, block, data, written));
        sendNext();
    }

    private boolean holds(GrantedLock grant) {
        return hold.current() == grant && grant.isValid();
    }

    private void sendNext() {
        Put next = current == null ? waiting.poll() : null;
        if (next != null) {
            current = next;
            next.grant.ownData().puts();
            send(next);
        }
    }

    private void send(Put put) {
        calls.take(
                "put data",
                () -> new Step.Put(put.block.entry(), known.puts(), put.data),
                () -> current == put && holds(put.grant),
                answer -> answered(put, answer),
                failure -> failed(put, failure),
                () -> end(put, false));
    }

    private void answered(Put put, Answer<LockItem> answer) {
        if (current != put) {
            return;
        }
        Entry first = answer.item().first();
        if (first == null || !first.block().equals(put.block.id())) {
            end(put, false);
        } else if (answer.isApplied() || answer.item().data().equals(put.data)) {
            put.grant.ownData().hasPut(put.data);
            end(put, true);
        } else {
            // The block has grown, or an earlier write of this caller has landed late.
            put.block.showsAs(first);
            known = answer.item();
            send(put);
        }
    }

    private void failed(Put put, StoreFailure failure) {
        put.mayLandLate |= failure.mayHaveTakenEffect();
        if (failure.isForGood()) {
            put.written.completeExceptionally(failure);
            end(put, false);
        }
    }

    private void end(Put put, boolean isWritten) {
        if (current == put) {
            current = null;
            if (!put.mayLandLate) {
                put.grant.ownData().putEnded();
            }
            put.written.complete(isWritten);
            sendNext();
        }
    }

    /** The lock is lost: what has not been answered is given up. */
    void drop() {
        Put dropped = current;
        current = null;
        if (dropped != null) {
            dropped.written.complete(false);
        }
        waiting.forEach(put -> put.written.complete(false));
        waiting.clear();
    }
}
