package io.dynamolock.scale;

import io.dynamolock.internal.engine.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Records the requests and the grants of each lock, and whether callers were served in order and one at a time. */
final class Ledger {

    /** Longer than almost every call, so that differences in network delay do not count as disorder. */
    private static final Duration NOTICEABLY = Duration.ofMillis(100);

    private final VirtualTime time;
    private final Map<String, Key> keys = new HashMap<>();
    private final List<Ask> asks = new ArrayList<>();
    private int releases;
    private int outOfOrder;
    private int overlaps;
    private Duration longestIdle = Duration.ZERO;
    private long countedFrom;

    Ledger(VirtualTime time) {
        this.time = time;
    }

    /** One caller's wait and section. */
    static final class Ask {

        private final Key key;
        private final long askedAt;
        private long grantedAt = -1;

        Ask(Key key, long askedAt) {
            this.key = key;
            this.askedAt = askedAt;
        }
    }

    private static final class Key {

        private final PriorityQueue<Ask> waiting = new PriorityQueue<>(Comparator.comparingLong(ask -> ask.askedAt));
        private int holders;
        private long freeSince;

        @Nullable
        Ask longestWaiting() {
            while (!waiting.isEmpty() && waiting.peek().grantedAt >= 0) {
                waiting.remove();
            }
            return waiting.peek();
        }
    }

    Ask asked(String name) {
        Key key = keys.computeIfAbsent(name, absent -> new Key());
        Ask ask = new Ask(key, time.nanos());
        key.waiting.add(ask);
        asks.add(ask);
        return ask;
    }

    void granted(Ask ask) {
        Ask longest = ask.key.longestWaiting();
        long idleSince = LongStream.of(countedFrom, ask.key.freeSince, longest == null ? time.nanos() : longest.askedAt)
                .max()
                .getAsLong();
        ask.grantedAt = time.nanos();
        if (ask.key.holders++ > 0) {
            overlaps++;
        } else if (time.nanos() - idleSince > longestIdle.toNanos()) {
            longestIdle = Duration.ofNanos(time.nanos() - idleSince);
        }
        Ask passed = ask.key.longestWaiting();
        if (passed != null && ask.askedAt - passed.askedAt >= NOTICEABLY.toNanos()) {
            outOfOrder++;
        }
    }

    /** The section has ended; its release is on its way. */
    void left(Ask ask) {
        ask.key.holders--;
        ask.key.freeSince = time.nanos();
    }

    /** Forgets idle times of the past. */
    void countIdlenessFromNow() {
        countedFrom = time.nanos();
        longestIdle = Duration.ZERO;
    }

    /** The longest time in which nobody held a lock that somebody waited for. */
    Duration longestIdle() {
        return longestIdle;
    }

    void released() {
        releases++;
    }

    int releases() {
        return releases;
    }

    /** Grants to a caller that had asked noticeably later than another one that was still waiting. */
    int outOfOrder() {
        return outOfOrder;
    }

    /** Grants while another caller was in its section. */
    int overlaps() {
        return overlaps;
    }

    /**
     * A percentile of all waits. A caller that still waits counts with its wait so far.
     *
     * @param share 0.99 for the 99th percentile
     */
    Duration waited(double share) {
        long[] sorted = asks.stream()
                .mapToLong(ask -> (ask.grantedAt < 0 ? time.nanos() : ask.grantedAt) - ask.askedAt)
                .sorted()
                .toArray();
        return Duration.ofNanos(sorted[(int) Math.ceil(share * sorted.length) - 1]);
    }
}
