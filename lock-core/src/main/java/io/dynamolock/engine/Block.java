package io.dynamolock.engine;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.WaiterRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A run of consecutive tickets of callers of this process, waiting in one row and granted in one write. */
final class Block {

    /** How far a block has come. */
    enum Stage {
        /** Its tickets are being taken. */
        NUMBERING,
        /** It has tickets and no row: it follows directly on a block of this process, or needs none. */
        NUMBERED,
        /** Its row is being written. */
        ENTERING,
        /** Its row is in the table. */
        QUEUED,
        /** A claim or a hand-over to it is under way. */
        CLAIMING,
        /** It holds the lock. */
        HOLDING,
        /** It holds the lock, and a rename is under way: nobody is granted the lock meanwhile. */
        CHANGING,
        /** It is no longer this queue's; late answers for it mean nothing. */
        GONE
    }

    private final Session session;
    private final Set<Caller> callers;
    private final int count;
    private final BlockId rowId;
    private Claimant claimant;
    private Stage stage = Stage.NUMBERING;
    private long first;
    private long last;
    private long reach;
    private boolean rowWritten;
    private boolean uncertain;
    private long enteredAt;
    private @Nullable BlockId nextId;

    Block(Session session, Claimant claimant, Collection<Caller> callers) {
        this.session = session;
        this.claimant = claimant;
        this.rowId = claimant.block();
        this.callers = new LinkedHashSet<>(callers);
        this.count = callers.size();
    }

    Session session() {
        return session;
    }

    Claimant claimant() {
        return claimant;
    }

    /** The id that its row carries: the one it had before any rename. */
    BlockId rowId() {
        return rowId;
    }

    BlockId id() {
        return claimant.block();
    }

    /** How many tickets it asked for. */
    int count() {
        return count;
    }

    long first() {
        return first;
    }

    long last() {
        return last;
    }

    boolean is(Stage other) {
        return stage == other;
    }

    void to(Stage next) {
        stage = next;
    }

    /** The claim, or hand-over, that was under way has not got it the lock. */
    void backToWaiting() {
        stage = rowWritten ? Stage.QUEUED : Stage.NUMBERED;
    }

    /** The tickets up to {@code lastTicket} are this block's. */
    void numbered(long lastTicket) {
        last = lastTicket;
        first = lastTicket - count + 1;
        reach = first;
        stage = Stage.NUMBERED;
        long ticket = first;
        for (Caller caller : callers) {
            caller.numbered(this, ticket++);
        }
    }

    void attach() {
        for (Caller caller : callers) {
            caller.numbered(this, 0);
        }
    }

    /** Whether only tickets of this process lie between the other block and this one. */
    boolean directlyFollows(Block other) {
        return other.last + 1 == reach;
    }

    /** The block before it is dropped; its tickets are nobody's any more. */
    void closeUpTo(Block dropped) {
        if (directlyFollows(dropped)) {
            reach = dropped.reach;
        }
    }

    /** A row of it may be in the table. */
    boolean hasRow() {
        return rowWritten;
    }

    void rowWritten(boolean written) {
        rowWritten = written;
    }

    /** A write that would make it the holder was sent and not answered. */
    boolean isUncertain() {
        return uncertain;
    }

    void markUncertain() {
        uncertain = true;
    }

    /** When its row was last written, by the monotonic clock. */
    long enteredAt() {
        return enteredAt;
    }

    void enteredAt(long nanos) {
        enteredAt = nanos;
    }

    WaiterRow row(Instant now) {
        return new WaiterRow(first, last, claimant, now);
    }

    /** The caller no longer waits. Behind a long hold they come and leave without end. */
    void forget(Caller caller) {
        callers.remove(caller);
    }

    int waiting() {
        return callers.size();
    }

    boolean hasCallers() {
        return !callers.isEmpty();
    }

    /** Whether its callers would rather fail than wait. */
    boolean waitsNotAtAll() {
        return hasCallers() && callers.iterator().next().spec().waitsNotAtAll();
    }

    boolean isOutOfPatience(EngineContext context) {
        return hasCallers() && callers.iterator().next().isOutOfPatience(context);
    }

    /** The next caller who still waits, removed from the block. */
    @Nullable
    Caller nextCaller() {
        Iterator<Caller> rest = callers.iterator();
        while (rest.hasNext()) {
            Caller next = rest.next();
            rest.remove();
            if (next.isWaiting()) {
                return next;
            }
        }
        return null;
    }

    /** Puts a caller back whose turn did not come after all. */
    void putBack(Caller caller) {
        List<Caller> behind = List.copyOf(callers);
        callers.clear();
        callers.add(caller);
        callers.addAll(behind);
    }

    List<Caller> waitingCallers() {
        return callers.stream().filter(Caller::isWaiting).toList();
    }

    /** The callers who still wait, removed from the block. */
    List<Caller> takeCallers() {
        List<Caller> rest = new ArrayList<>(waitingCallers());
        callers.clear();
        return rest;
    }

    /** Its tickets and callers become those of this block, which it follows directly. */
    void join(Block next) {
        for (Caller caller : next.takeCallers()) {
            caller.numbered(this, caller.number());
            callers.add(caller);
        }
        last = next.last;
    }

    /** A rename to this id is under way: both ids are the block's until it is answered. */
    void renaming(BlockId id) {
        nextId = id;
    }

    void renamed(Claimant as) {
        claimant = as;
        nextId = null;
    }

    @Nullable
    BlockId nextId() {
        return nextId;
    }

    boolean goesBy(BlockId id) {
        return id.equals(claimant.block()) || id.equals(nextId);
    }
}
