package io.dynamolock.engine;

import io.dynamolock.internal.engine.Kind;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Eviction;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Step;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Callers of this process that stand in one place of a lock's queue. Lives on the event loop. */
final class Block {

    /** How far a block has come. */
    enum Stage {
        /** It asks for its place. */
        ASKING,
        /** It stands in the queue. */
        WAITING,
        /** It holds the lock. */
        HOLDING,
        /** It holds the lock, and gets a new number: nobody is granted the lock meanwhile. */
        RENAMING,
        /** It is taken out of the queue. */
        LEAVING,
        /** It is no longer this queue's; late answers for it mean nothing. */
        GONE
    }

    private final Session session;
    private final Kind kind;
    private final Set<Caller> callers;
    private final BlockNumbers numbers;
    private final Tickets tickets = new Tickets();
    private Stage stage = Stage.ASKING;
    private long issued;
    private long answeredAt;
    private boolean served;
    private boolean givenUp;
    private boolean deserted;
    private long desertedSince;
    private boolean mayHaveLanded;
    private boolean mayBeRenamedLate;

    Block(Session session, long number, Collection<Caller> callers) {
        this(session, number, Kind.EXCLUSIVE, callers);
    }

    Block(Session session, long number, Kind kind, Collection<Caller> callers) {
        this(
                session,
                new BlockNumbers(new Entry(new BlockId(session.id(), number), modeOf(kind), callers.size())),
                kind,
                callers);
    }

    private Block(Session session, BlockNumbers numbers, Kind kind, Collection<Caller> callers) {
        this.session = session;
        this.kind = kind;
        this.callers = new LinkedHashSet<>(callers);
        this.numbers = numbers;
        callers.forEach(caller -> {
            caller.standsIn(this);
            caller.joinedAs(numbers.entry().callers());
        });
    }

    Session session() {
        return session;
    }

    BlockId id() {
        return entry().block();
    }

    /** The entry as it was last seen in the table. */
    Entry entry() {
        return numbers.entry();
    }

    void showsAs(Entry seen) {
        numbers.showsAs(seen);
    }

    /** Shown by an answer that may be older than the last one: a block has never fewer callers than before. */
    void mayShowAs(Entry seen) {
        numbers.mayShowAs(seen);
    }

    boolean is(Stage other) {
        return stage == other;
    }

    boolean holds() {
        return stage == Stage.HOLDING || stage == Stage.RENAMING;
    }

    void to(Stage from, Stage next) {
        if (stage != from) {
            throw new IllegalStateException("block " + id() + " is " + stage + ", not " + from);
        }
        stage = next;
    }

    void gone() {
        stage = Stage.GONE;
    }

    /** Its ask is answered: it stands in the queue, and so many tickets were issued by then. */
    void stands(long tail, long answer) {
        to(Stage.ASKING, Stage.WAITING);
        issued = tail;
        answeredAt = answer;
    }

    /** The last ticket issued when its ask was answered. */
    long issued() {
        return issued;
    }

    /** When its ask was answered, or it was seen first, in the order of sendings and answers. */
    long answeredAt() {
        return answeredAt;
    }

    /** A call that brings its present number into the queue was sent and not answered. */
    boolean mayHaveLanded() {
        return mayHaveLanded;
    }

    void markLanded() {
        mayHaveLanded = true;
    }

    /**
     * It holds the lock, and these are its tickets. Answers to calls that were sent before may show it further back.
     *
     * @param shown how many callers it has in the item that shows it holding, which may be older than the last one
     */
    void holds(long lastTicket, int shown, long answer) {
        to(Stage.WAITING, Stage.HOLDING);
        answeredAt = answer;
        tickets.begin(callers, lastTicket, shown);
    }

    /** Further callers stand in it; if it holds the lock, they have their tickets. */
    void grownBy(Collection<Caller> newcomers, Step.Grow growth, LockItem item) {
        joinedBy(newcomers);
        newcomers.forEach(caller -> caller.joinedAs(growth.entry().callers() + growth.by()));
        if (holds()) {
            tickets.grownBy(newcomers, growth, item, id());
        }
    }

    /** Behind a long hold callers come and leave without end. */
    void forget(Caller caller) {
        callers.remove(caller);
    }

    /** How many callers more have a ticket waiting for them. */
    int vacancies() {
        return entry().callers() - callers.size();
    }

    /** How many callers more may stand in it. */
    int room() {
        return kind.needsEntryForItself() == false ? Entry.mostCallers(id().number()) - entry().callers() : 0;
    }

    /** These stand in it, too; if nothing else is said, they take the tickets of callers that have left. */
    void joinedBy(Collection<Caller> newcomers) {
        callers.addAll(newcomers);
        newcomers.forEach(caller -> {
            caller.standsIn(this);
            caller.joinedAs(entry().callers());
        });
        deserted &= newcomers.isEmpty();
        givenUp &= newcomers.isEmpty();
    }

    /** Nobody of this process is to take its place: an operator wants it given up. */
    void giveUp() {
        givenUp = true;
    }

    boolean isGivenUp() {
        return givenUp;
    }

    /** A caller has the lock by it. */
    void serves() {
        served = true;
    }

    /** The first so many callers, removed from the block. */
    List<Caller> takeFirst(int most) {
        List<Caller> first = callers.stream().limit(most).toList();
        first.forEach(callers::remove);
        return first;
    }

    List<Caller> takeCallers() {
        return takeFirst(callers.size());
    }

    /** Since when nobody stands in it. */
    long desertedSince(long now) {
        desertedSince = deserted ? desertedSince : now;
        deserted = true;
        return desertedSince;
    }

    boolean hasCallers() {
        return !callers.isEmpty();
    }

    Collection<Caller> callers() {
        return callers;
    }

    /** The rest of it shall go on under a new number: until that is answered, it goes by both. */
    Entry rename() {
        return rename(kind);
    }

    private static io.dynamolock.protocol.Mode modeOf(Kind kind) {
        return switch (kind.mode()) {
            case EXCLUSIVE -> io.dynamolock.protocol.Mode.EXCLUSIVE;
            case SHARED -> io.dynamolock.protocol.Mode.SHARED;
            case PERMIT -> io.dynamolock.protocol.Mode.PERMIT;
        };
    }

    /** The same for a block that goes on in another way. */
    Entry rename(Kind as) {
        Entry next = new Entry(new BlockId(session.id(), session.nextBlock()), modeOf(as), Math.max(1, callers.size()));
        to(Stage.HOLDING, Stage.RENAMING);
        numbers.rename(next);
        return next;
    }

    /** Answers to calls that were sent before this one, or show fewer tickets, may still show the old number. */
    void isRenamed(long tail, long answer) {
        to(Stage.RENAMING, Stage.HOLDING);
        issued = tail + 1;
        answeredAt = answer;
        tickets.end();
        // Where the old number may come back by a late ask, a late rename may make the new one of it again.
        mayHaveLanded = mayHaveLanded && mayBeRenamedLate;
        mayBeRenamedLate = false;
        numbers.isRenamed(served);
        callers.forEach(caller -> caller.joinedAs(entry().callers()));
    }

    /** A block of readers in the place of this one of a writer, which has been renamed so and ends: its numbers go with it. */
    Block asReader() {
        Block reader = new Block(session, numbers, Kind.READ, List.of());
        reader.stage = Stage.HOLDING;
        reader.served = true;
        reader.issued = issued;
        reader.answeredAt = answeredAt;
        return reader;
    }

    /** A call that gives it its new number was sent and not answered. */
    void markRenamed() {
        mayBeRenamedLate = true;
    }

    /** Its new number, if it may have it already. */
    @Nullable
    BlockId renamedId() {
        return numbers.next();
    }

    /** Whether its new number has landed; an ask that landed twice may still show the old one further back. */
    boolean isRenamedIn(LockItem item) {
        BlockId next = numbers.next();
        return next != null && item.indexOf(next) == 0;
    }

    /** Whether the item shows it under one of its numbers. */
    boolean isIn(LockItem item) {
        return item.queue().stream().anyMatch(seen -> numbers.goesBy(seen.block()));
    }

    /** Whether an eviction from the block of this number is one from this block. */
    boolean isMeantBy(BlockId id) {
        return numbers.isMeantBy(id);
    }

    /** An eviction from this block is one of the callers that have {@linkplain Caller#joinedAs() joined} as that or less. */
    int reach(Eviction eviction) {
        return numbers.reach(eviction);
    }

    /** Whether a caller has, or had, the lock by it. */
    boolean hasServed() {
        return served;
    }

    boolean goesBy(BlockId id) {
        return numbers.goesBy(id);
    }
}
