package io.dynamolock.simulation;

import io.dynamolock.engine.LossReason;
import io.dynamolock.protocol.Answer;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.LockKey;
import io.dynamolock.protocol.SessionId;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what happened to one lock, one JSON object a line, in the order in which it happened: steps that landed, with
 * the item after them; answers that were heard; grants, releases, losses; beginnings, ends and burials of sessions; deaths of
 * processes.
 *
 * <p>Every line has {@code event} and, but for a removal, {@code process}. Sessions go by small numbers, in the order of
 * their appearance, blocks by {@code [session, number]}, entries by {@code [session, number, callers]}. Tickets count
 * from the first that an item has issued.
 */
public final class TraceLines implements Journal {

    private final LockKey key;
    private final List<String> lines = new ArrayList<>();
    private final Map<SessionId, Integer> sessions = new HashMap<>();
    private long base = -1;

    public TraceLines(LockKey key) {
        this.key = key;
    }

    /** The lines so far. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    private int number(SessionId session) {
        return sessions.computeIfAbsent(session, absent -> sessions.size() + 1);
    }

    private String block(@Nullable BlockId block) {
        return block == null ? "null" : "[" + number(block.session()) + "," + block.number() + "]";
    }

    private String entry(Entry entry) {
        return "[" + number(entry.session()) + "," + entry.block().number() + "," + entry.callers() + "]";
    }

    private String entries(List<Entry> entries) {
        return entries.stream().map(this::entry).collect(Collectors.joining(",", "[", "]"));
    }

    private long ticket(long ticket) {
        return base < 0 ? ticket : ticket - base;
    }

    private String item(LockItem item) {
        long tail = item.tail() == 0 ? 0 : ticket(item.tail());
        return "{\"tail\":" + tail + ",\"queue\":" + entries(item.queue()) + "}";
    }

    private void write(String event, @Nullable String process, String... more) {
        StringBuilder line = new StringBuilder("{\"event\":\"").append(event).append('"');
        if (process != null) {
            line.append(",\"process\":\"").append(process).append('"');
        }
        for (int i = 0; i < more.length; i += 2) {
            line.append(",\"").append(more[i]).append("\":").append(more[i + 1]);
        }
        lines.add(line.append('}').toString());
    }

    @Override
    public void step(String process, LockKey of, Step step, Answer<LockItem> answer) {
        if (!of.equals(key)) {
            return;
        }
        if (step instanceof Step.Ask ask && answer.isApplied() && base < 0) {
            base = answer.item().tail() - ask.entry().callers();
        }
        String applied = Boolean.toString(answer.isApplied());
        String after = item(answer.item());
        if (step instanceof Step.Ask ask) {
            String most = Integer.toString(ask.most());
            write("Ask", process, "entry", entry(ask.entry()), "most", most, "applied", applied, "item", after);
        } else if (step instanceof Step.Grow grow) {
            String index = Integer.toString(grow.index());
            String by = Integer.toString(grow.by());
            String entry = entry(grow.entry());
            write("Grow", process, "index", index, "entry", entry, "by", by, "applied", applied, "item", after);
        } else if (step instanceof Step.Leave leave) {
            String places = leave.entries().entrySet().stream()
                    .map(place -> "[" + place.getKey() + "," + entry(place.getValue()) + "]")
                    .collect(Collectors.joining(",", "[", "]"));
            write("Leave", process, "entries", places, "applied", applied, "item", after);
        } else if (step instanceof Step.Rename rename) {
            String from = entry(rename.from());
            String to = entry(rename.to());
            write("Rename", process, "from", from, "to", to, "applied", applied, "item", after);
        }
    }

    @Override
    public void session(String process, SessionId id, SessionStep step, Answer<Optional<SessionItem>> answer) {
        String session = Integer.toString(number(id));
        String applied = Boolean.toString(answer.isApplied());
        String lives = Boolean.toString(answer.item().isPresent());
        if (step instanceof SessionStep.Raise raise) {
            if (raise.dispute().key().equals(key)) {
                String block = block(raise.dispute().block());
                write("Raise", process, "session", session, "block", block, "applied", applied, "lives", lives);
            }
        } else {
            String event = step.getClass().getSimpleName();
            write(event, process, "session", session, "applied", applied, "lives", lives);
        }
    }

    @Override
    public void hears(String process, LockKey of, LockItem item, boolean consistent) {
        if (of.equals(key)) {
            write("Hear", process, "consistent", Boolean.toString(consistent), "item", item(item));
        }
    }

    @Override
    public void removed(LockKey of) {
        if (of.equals(key)) {
            write("Remove", null);
        }
    }

    @Override
    public void granted(String process, LockKey of, @Nullable BlockId block, long ticket) {
        if (of.equals(key)) {
            write("Grant", process, "block", block(block), "ticket", Long.toString(ticket(ticket)));
        }
    }

    @Override
    public void released(String process, LockKey of, long ticket) {
        if (of.equals(key)) {
            write("Release", process, "ticket", Long.toString(ticket(ticket)));
        }
    }

    @Override
    public void lost(String process, LockKey of, long ticket, LossReason reason) {
        if (of.equals(key)) {
            write("Lose", process, "ticket", Long.toString(ticket(ticket)), "reason", "\"" + reason + "\"");
        }
    }

    @Override
    public void dies(String process) {
        write("Die", process);
    }
}
