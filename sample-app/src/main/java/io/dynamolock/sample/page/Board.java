package io.dynamolock.sample.page;

import io.dynamolock.LockHandle;
import io.dynamolock.sample.page.PageState.Kind;
import io.dynamolock.sample.page.PageState.News;
import io.dynamolock.sample.page.PageState.Progress;
import io.dynamolock.sample.page.PageState.Result;
import io.dynamolock.sample.page.PageState.Ticket;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the page has seen so far: one rush, two results and the latest news. Thread-safe. */
final class Board {

    private static final int NEWS = 8;

    private final Clock clock;
    private final Deque<News> news = new ArrayDeque<>();
    private final Map<InstanceName, Integer> losses = new EnumMap<>(InstanceName.class);
    private final List<Ticket> served = new ArrayList<>();
    private @Nullable Ticket holder;
    private @Nullable Progress rush;
    private @Nullable Result withLock;
    private @Nullable Result without;
    private long newsSoFar;
    private long lastToken;
    private long base;

    Board(Clock clock) {
        this.clock = clock;
    }

    synchronized void tell(Kind kind, String text) {
        news.addFirst(new News(++newsSoFar, clock.instant(), kind, text));
        if (news.size() > NEWS) {
            news.removeLast();
        }
    }

    synchronized void beginRush(boolean lock, int orders) {
        rush = new Progress(lock, true, orders, 0, 0, 0);
        served.clear();
    }

    /**
     * A turn begins. The holder calls this before it releases the lock. Therefore the calls come in the order of the
     * turns, and a smaller ticket after a greater one is a breach of the order, not a race between two reports. A
     * report that comes after the lock was lost proves nothing.
     */
    synchronized void turn(InstanceName instance, LockHandle lock, Duration waited, boolean ofRush) {
        long token = lock.fencingToken();
        Ticket ticket = new Ticket(instance, ticket(token), waited.toMillis());
        holder = ticket;
        if (ofRush) {
            served.add(ticket);
            Progress now = rush;
            if (now != null && token <= lastToken && lock.isValid()) {
                rush = now.withOneOutOfOrder();
            }
        }
        lastToken = Math.max(lastToken, token);
    }

    /** Ends this turn, unless the next one has begun already. */
    synchronized void turnIsOver(long token) {
        if (holder != null && holder.number() == ticket(token)) {
            holder = null;
        }
    }

    /** The ticket whose turn it is; 0 if no caller of this process has its turn. */
    synchronized long turnNow() {
        return holder == null ? 0 : holder.number();
    }

    synchronized void orderArrived() {
        Progress now = rush;
        if (now != null) {
            rush = now.withOneArrived();
        }
    }

    synchronized void orderFailed() {
        Progress now = rush;
        if (now != null) {
            rush = now.withOneFailed();
        }
    }

    /** @param grown how many more orders the customer has than before the rush */
    synchronized void endRush(long grown, Duration took) {
        Progress now = rush;
        if (now == null) {
            return;
        }
        rush = now.ended();
        List<Long> waits = served.stream().map(Ticket::waitedMillis).sorted().toList();
        Result result = new Result(
                now.lock(),
                now.arrived(),
                now.failed(),
                Math.max(0, now.arrived() - grown),
                now.outOfOrder(),
                waits.isEmpty() ? 0 : waits.get((waits.size() - 1) / 2),
                waits.isEmpty() ? 0 : waits.get(waits.size() - 1),
                took.toMillis());
        if (now.lock()) {
            withLock = result;
        } else {
            without = result;
        }
        tell(result.lost() == 0 && result.outOfOrder() == 0 ? Kind.GOOD : Kind.BAD, sentence(result));
    }

    /** The rush could not be carried out, or its orders not be counted: there is no result. */
    synchronized void rushFailed() {
        Progress now = rush;
        if (now == null) {
            return;
        }
        rush = now.ended();
        tell(
                Kind.BAD,
                "The rush %s the lock failed: it could not be carried out or counted, so it has no result."
                        .formatted(now.lock() ? "with" : "without"));
    }

    private static String sentence(Result result) {
        String orders = "The rush %s the lock is over: %d orders were accepted, %s lost"
                .formatted(
                        result.lock() ? "with" : "without",
                        result.arrived(),
                        result.lost() == 0 ? "none" : result.lost() + " of them");
        String failures = result.failed() == 0 ? "" : ", %d failed".formatted(result.failed());
        String order = !result.lock()
                ? "."
                : result.outOfOrder() == 0
                        ? ", and all were served in order."
                        : ", and %d were served out of order.".formatted(result.outOfOrder());
        return orders + failures + order;
    }

    synchronized void lost(InstanceName instance) {
        losses.merge(instance, 1, Integer::sum);
        if (holder != null && holder.instance() == instance) {
            holder = null;
        }
    }

    synchronized int losses(InstanceName instance) {
        return losses.getOrDefault(instance, 0);
    }

    synchronized boolean isRushing() {
        return rush != null && rush.running();
    }

    /** The number that the page shows for a fencing token: small, and rising as tokens do. */
    synchronized long ticket(long token) {
        if (base == 0) {
            base = token - 1;
        }
        return token - base;
    }

    synchronized PageState state(Duration lease, List<PageState.InstanceState> instances, List<PageState.Group> line) {
        List<Result> results = new ArrayList<>();
        if (withLock != null) {
            results.add(withLock);
        }
        if (without != null) {
            results.add(without);
        }
        return new PageState(
                lease.toMillis(),
                instances,
                holder,
                line.stream().flatMap(this::stillWaiting).toList(),
                List.copyOf(served),
                rush,
                List.copyOf(results),
                List.copyOf(news));
    }

    /** The line was read a moment ago. Leave out callers whose turn has come since. */
    private Stream<PageState.Group> stillWaiting(PageState.Group group) {
        long first = lastToken == 0 ? group.first() : Math.max(group.first(), ticket(lastToken) + 1);
        return first > group.last()
                ? Stream.empty()
                : Stream.of(new PageState.Group(group.instance(), first, group.last()));
    }
}
