package io.dynamolock.simulation;

import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Mode;
import io.dynamolock.protocol.SessionItem;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How a trace calls what it tells of, in TLA+: processes and their sessions by numbers, blocks by three of them. */
final class TraceNames {

    private record SessionName(int process, int number) {}

    private final Map<String, Integer> processes = new HashMap<>();
    private final Map<Integer, Integer> counts = new HashMap<>();
    private final Map<SessionId, SessionName> sessions = new HashMap<>();
    private final TicketScale tickets = new TicketScale();
    private final Map<String, Long> firstReadings = new HashMap<>();
    private @Nullable Instant start;

    int process(String name) {
        return processes.computeIfAbsent(name, absent -> processes.size() + 1);
    }

    void begins(String process, SessionId id) {
        int number = process(process);
        sessions.computeIfAbsent(id, absent -> new SessionName(number, counts.merge(number, 1, Integer::sum)));
    }

    TicketScale tickets() {
        return tickets;
    }

    String session(SessionId id) {
        return "<<" + numbers(id) + ">>";
    }

    private String numbers(SessionId id) {
        SessionName name = sessions.get(id);
        if (name == null) {
            throw new IllegalStateException("nobody has begun session " + id);
        }
        return name.process() + "," + name.number();
    }

    String block(BlockId id) {
        return "<<" + numbers(id.session()) + "," + id.number() + ">>";
    }

    String entry(Entry entry) {
        String place = numbers(entry.session()) + "," + entry.block().number() + "," + entry.callers() + ")";
        return entry.mode().equals(Mode.EXCLUSIVE) ? "E(" + place : "As(\"" + mode(entry.mode()) + "\"," + place;
    }

    private static String mode(Mode mode) {
        if (mode.equals(Mode.SHARED)) {
            return "shared";
        }
        return mode.equals(Mode.PERMIT) ? "permit" : "unknown";
    }

    String item(LockItem item) {
        if (item.equals(LockItem.ABSENT)) {
            return "Absent";
        }
        String shown = tickets.show(item.tail()) + "," + sequence(item.queue(), this::entry);
        return item.permits() == 0 ? "I(" + shown + ")" : "IP(" + shown + "," + item.permits() + ")";
    }

    String sessions(Map<SessionId, SessionItem> items) {
        return set(
                items.entrySet(),
                shown -> "S(" + numbers(shown.getKey()) + "," + shown.getValue().beat() + ","
                        + millis(shown.getValue().beatAt()) + ")");
    }

    /** Since the process was first heard of, by its own clock, which may overflow. */
    long millis(String process, long nanos) {
        long first = firstReadings.computeIfAbsent(process, absent -> nanos);
        return Duration.ofNanos(nanos - first).toMillis();
    }

    /** Since the trace began. */
    long millis(Instant wallClock) {
        if (start == null) {
            start = wallClock;
        }
        return Duration.between(start, wallClock).toMillis();
    }

    static <T> String set(Collection<T> all, Function<T, String> each) {
        return all.stream().map(each).sorted().collect(Collectors.joining(",", "{", "}"));
    }

    static <T> String sequence(List<T> all, Function<T, String> each) {
        return all.stream().map(each).collect(Collectors.joining(",", "<<", ">>"));
    }
}
