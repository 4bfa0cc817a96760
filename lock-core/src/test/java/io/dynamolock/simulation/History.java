package io.dynamolock.simulation;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.Holder;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockState;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.WaiterRow;
import io.dynamolock.store.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
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
            text.append('b').append(id.value().toString(), 0, 4);
        } else if (part instanceof SessionId id) {
            text.append('s').append(id.value().toString(), 0, 4);
        } else if (part instanceof WaiterRow row) {
            text.append('[').append(row.first()).append("..").append(row.last()).append(' ');
            write(text, row.claimant().block());
            text.append(" of ");
            write(text, row.claimant().session());
            text.append(']');
        } else if (part instanceof LockState state) {
            write(text, state);
        } else if (part instanceof WriteResult result) {
            text.append(result instanceof WriteResult.Applied ? "applied, " : "refused, ");
            write(text, result.state());
        } else if (part instanceof Optional<?> optional) {
            text.append(optional.isPresent() ? optional.get() : "absent");
        } else if (part instanceof Collection<?> all) {
            text.append('{');
            all.forEach(one -> {
                write(text, one);
                text.append(' ');
            });
            text.append('}');
        } else if (part instanceof Duration duration) {
            text.append(duration.getSeconds() > 1_000_000_000L ? "ever" : duration.toMillis() + " ms");
        } else {
            text.append(part);
        }
    }

    private static void write(StringBuilder text, LockState state) {
        text.append("tail ").append(state.tail()).append(" serving ").append(state.serving());
        Holder holder = state.holder();
        if (holder == null) {
            text.append(" held by nobody");
        } else {
            text.append(" held by ").append(holder.owner()).append(' ');
            write(text, holder.block());
            text.append(" of ");
            write(text, holder.session());
        }
    }
}
