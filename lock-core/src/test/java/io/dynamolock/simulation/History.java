package io.dynamolock.simulation;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Dispute;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Eviction;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Mode;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What happened, one line for each event: virtual milliseconds, process, what. Written out only when it is read. */
public final class History {

    private final VirtualTime time;
    private final List<Object[]> lines = new ArrayList<>();

    History(VirtualTime time) {
        this.time = time;
    }

    /** @param what immutable values, or words */
    void add(String who, Object... what) {
        Object[] line = new Object[what.length + 2];
        line[0] = time.nanos();
        line[1] = who;
        System.arraycopy(what, 0, line, 2, what.length);
        lines.add(line);
    }

    int size() {
        return lines.size();
    }

    @Override
    public String toString() {
        return lines(0);
    }

    /** The end of it. */
    String last(int count) {
        return lines(Math.max(0, lines.size() - count));
    }

    private String lines(int from) {
        StringBuilder text = new StringBuilder();
        for (Object[] line : lines.subList(from, lines.size())) {
            text.append((long) line[0] / 1_000_000).append(' ').append(line[1]);
            for (int i = 2; i < line.length; i++) {
                text.append(' ');
                write(text, line[i]);
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static void write(StringBuilder text, Object part) {
        if (part instanceof LockKey key) {
            text.append(key.key());
        } else if (part instanceof BlockId id) {
            write(text, id.session());
            text.append('/').append(id.number());
        } else if (part instanceof SessionId id) {
            text.append('s').append(id.value(), 0, 3);
        } else if (part instanceof Entry entry) {
            write(text, entry.block());
            if (!entry.mode().equals(Mode.EXCLUSIVE)) {
                text.append(entry.mode());
            }
            if (entry.callers() > 1) {
                text.append('x').append(entry.callers());
            }
        } else if (part instanceof LockItem item) {
            text.append("tail ").append(item.tail()).append(' ');
            write(text, item.queue());
            if (item.permits() > 0) {
                text.append(" of ").append(item.permits());
            }
        } else if (part instanceof Step step) {
            write(text, step);
        } else if (part instanceof Answer<?> answer) {
            text.append(answer.isApplied() ? "applied, " : "refused, ");
            write(text, answer.item());
        } else if (part instanceof Dispute dispute) {
            text.append("dispute of ");
            write(text, dispute.block());
        } else if (part instanceof Eviction eviction) {
            text.append("eviction from ");
            write(text, eviction.block());
            text.append(" of ").append(eviction.callers());
        } else if (part instanceof SessionStep step) {
            text.append(step.getClass().getSimpleName().toLowerCase(Locale.ROOT));
            if (step instanceof SessionStep.Raise raise) {
                text.append(' ');
                write(text, raise.dispute());
            } else if (step instanceof SessionStep.Evict evict) {
                text.append(' ');
                write(text, evict.eviction());
            } else if (step instanceof SessionStep.Beat beat) {
                text.append(' ').append(beat.number());
            } else if (step instanceof SessionStep.Bury bury) {
                text.append(" at ").append(bury.beat());
            }
        } else if (part instanceof SessionItem session) {
            text.append("beat ").append(session.beat());
            if (!session.disputes().isEmpty()) {
                text.append(' ');
                write(text, session.disputes());
            }
            if (!session.evictions().isEmpty()) {
                text.append(' ');
                write(text, session.evictions());
            }
        } else if (part instanceof Optional<?> optional) {
            write(text, optional.isPresent() ? optional.get() : "absent");
        } else if (part instanceof Collection<?> all) {
            text.append('[');
            all.forEach(one -> {
                write(text, one);
                text.append(' ');
            });
            text.append(']');
        } else if (part instanceof Duration duration) {
            text.append(duration.getSeconds() > 1_000_000_000L ? "ever" : duration.toMillis() + " ms");
        } else {
            text.append(part);
        }
    }

    private static void write(StringBuilder text, Step step) {
        if (step instanceof Step.Ask ask) {
            text.append(ask.most() == 1 ? "ask if free " : "ask ");
            write(text, ask.entry());
        } else if (step instanceof Step.Grow grow) {
            text.append("grow by ")
                    .append(grow.by())
                    .append(" at ")
                    .append(grow.index())
                    .append(' ');
            write(text, grow.entry());
        } else if (step instanceof Step.Leave leave) {
            text.append("leave");
            leave.entries().forEach((index, entry) -> {
                text.append(' ').append(index).append(':');
                write(text, entry);
            });
        } else if (step instanceof Step.Resize resize) {
            text.append("resize to ").append(resize.permits());
        } else if (step instanceof Step.Rename rename) {
            text.append("rename ");
            write(text, rename.from());
            text.append(" to ");
            write(text, rename.to());
        }
    }
}
