package io.dynamolock.simulation;

import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.Dispute;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Writes down what happened to one lock, in the order in which it happened, as {@code docs/spec/Trace.tla} reads it: one
 * record of TLA+ for each call that was sent, that landed, whose answer was heard; for grants and their ends; for
 * beginnings and losses of sessions; for starts and ends of processes. A call goes by the number of the line that tells
 * of its sending, from 1.
 */
public final class TraceLines implements Journal {

    private final LockKey key;
    private final List<String> lines = new ArrayList<>();
    private final Map<Integer, Call> calls = new HashMap<>();
    private final Map<Integer, Integer> answers = new HashMap<>();
    private final TraceNames names = new TraceNames();

    private record Call(String process, Sent sent) {}

    public TraceLines(LockKey key) {
        this.key = key;
    }

    /** The lines so far. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    private int write(String event, Object... fields) {
        StringBuilder line = new StringBuilder("[event |-> \"").append(event).append('"');
        for (int i = 0; i < fields.length; i += 2) {
            line.append(", ").append(fields[i]).append(" |-> ").append(fields[i + 1]);
        }
        lines.add(line.append(']').toString());
        return lines.size();
    }

    private static String quoted(Object text) {
        return "\"" + text + "\"";
    }

    private static String truth(boolean value) {
        return value ? "TRUE" : "FALSE";
    }

    @Override
    public void starts(String process, EngineSettings settings) {
        write(
                "Start",
                "p",
                names.process(process),
                "lease",
                settings.lease().toMillis(),
                "delay",
                settings.lockDelay().toMillis(),
                "skew",
                settings.maxClockSkew().toMillis(),
                "most",
                settings.maxQueue());
    }

    // Calls

    @Override
    public int sends(String process, Sent call, long nanos) {
        if (!isOfThisLock(call)) {
            return 0;
        }
        Sent sent = asSeenHere(call);
        List<Object> fields = new ArrayList<>(List.of(
                "p", names.process(process), "now", names.millis(process, nanos), "call", quoted(nameOf(sent))));
        if (sent instanceof Sent.Take take) {
            fields.addAll(fieldsOf(take.step()));
        } else if (sent instanceof Sent.OfSession ofSession) {
            if (ofSession.step() instanceof SessionStep.Begin) {
                names.begins(process, ofSession.id());
            }
            fields.addAll(fieldsOf(ofSession));
        } else if (sent instanceof Sent.Read read) {
            fields.addAll(List.of("ids", TraceNames.set(read.ids(), names::session)));
        }
        int line = write("Send", fields.toArray());
        calls.put(line, new Call(process, sent));
        return line;
    }

    private boolean isOfThisLock(Sent sent) {
        if (sent instanceof Sent.Take take) {
            return take.key().equals(key);
        }
        return !(sent instanceof Sent.Look look) || look.key().equals(key);
    }

    /** A dispute about another lock, or an eviction, tells only whether the session lives. */
    private Sent asSeenHere(Sent sent) {
        return sent instanceof Sent.OfSession call
                        && (call.step() instanceof SessionStep.Evict
                                || call.step() instanceof SessionStep.Raise raise
                                        && !raise.dispute().key().equals(key))
                ? new Sent.Read(Set.of(call.id()))
                : sent;
    }

    private static String nameOf(Sent sent) {
        if (sent instanceof Sent.Take take) {
            return take.step().getClass().getSimpleName().toLowerCase(Locale.ROOT);
        }
        if (sent instanceof Sent.OfSession call) {
            return call.step().getClass().getSimpleName().toLowerCase(Locale.ROOT);
        }
        return sent instanceof Sent.Look look ? look.consistent() ? "lookHard" : "look" : "read";
    }

    private List<Object> fieldsOf(Step step) {
        if (step instanceof Step.Ask ask) {
            return List.of("entry", names.entry(ask.entry()), "most", ask.most(), "permits", ask.permits());
        }
        if (step instanceof Step.Grow grow) {
            String to = names.entry(grow.entry().grownBy(grow.by()));
            return List.of("i", grow.index() + 1, "entry", names.entry(grow.entry()), "to", to);
        }
        if (step instanceof Step.Rename rename) {
            return List.of(
                    "i", rename.index() + 1, "entry", names.entry(rename.from()), "to", names.entry(rename.to()));
        }
        if (step instanceof Step.Resize resize) {
            return List.of("permits", resize.permits());
        }
        Step.Leave leave = (Step.Leave) step;
        List<String> places = new ArrayList<>();
        leave.entries().forEach((index, entry) -> {
            while (places.size() < index) {
                places.add("NoEntry");
            }
            places.add(names.entry(entry));
        });
        return List.of("entries", TraceNames.sequence(places, place -> place));
    }

    private List<Object> fieldsOf(Sent.OfSession call) {
        String id = names.session(call.id());
        if (call.step() instanceof SessionStep.Beat beat) {
            List<Dispute> settled = beat.settled().stream()
                    .filter(dispute -> dispute.key().equals(key))
                    .toList();
            return List.of(
                    "id",
                    id,
                    "beat",
                    beat.number(),
                    "ids",
                    TraceNames.set(settled, dispute -> names.block(dispute.block())));
        }
        if (call.step() instanceof SessionStep.Bury bury) {
            return List.of("id", id, "beat", bury.beat());
        }
        if (call.step() instanceof SessionStep.Raise raise) {
            return List.of("id", names.block(raise.dispute().block()));
        }
        return List.of("id", id);
    }

    @Override
    public int lands(int call, boolean applied, LockItem shown) {
        if (call == 0) {
            return 0;
        }
        long base = 0;
        if (calls.get(call).sent() instanceof Sent.Take take && take.step() instanceof Step.Ask ask && applied) {
            if (shown.tail() == ask.base() + ask.entry().callers()) {
                names.tickets().begins(ask.base());
            }
            base = names.tickets().show(shown.tail()) - ask.entry().callers();
        }
        String item = names.item(shown);
        int line = write("Land", "sent", call, "ok", truth(applied), "item", item, "base", base);
        answers.put(line, call);
        return line;
    }

    @Override
    public int lands(int call, boolean applied, Map<SessionId, SessionItem> shown) {
        if (call == 0) {
            return 0;
        }
        int line = write("Land", "sent", call, "ok", truth(applied), "shows", names.sessions(shown));
        answers.put(line, call);
        return line;
    }

    @Override
    public void hears(int answer, long nanos, Instant wallClock) {
        if (answer != 0 && !isOfItsOwnSession(calls.get(answers.get(answer)).sent())) {
            int call = answers.get(answer);
            String process = calls.get(call).process();
            write(
                    "Hear",
                    "p",
                    names.process(process),
                    "sent",
                    call,
                    "landed",
                    answer,
                    "now",
                    names.millis(process, nanos),
                    "wall",
                    names.millis(wallClock));
        }
    }

    /** What such an answer means is told by the lines for the session's beginning and loss. */
    private static boolean isOfItsOwnSession(Sent sent) {
        return sent instanceof Sent.OfSession call
                && !(call.step() instanceof SessionStep.Bury)
                && !(call.step() instanceof SessionStep.Raise);
    }

    @Override
    public void removed(LockKey of) {
        if (of.equals(key)) {
            write("Remove");
        }
    }

    // Grants

    private void ofGrant(String event, String process, LockKey of, long ticket, Object... more) {
        if (of.equals(key)) {
            List<Object> fields = new ArrayList<>(
                    List.of("p", names.process(process), "no", names.tickets().show(ticket)));
            fields.addAll(List.of(more));
            write(event, fields.toArray());
        }
    }

    @Override
    public void granted(String process, LockKey of, long ticket) {
        ofGrant("Grant", process, of, ticket);
    }

    @Override
    public void letGo(String process, LockKey of, long ticket) {
        ofGrant("LetGo", process, of, ticket);
    }

    @Override
    public void released(String process, LockKey of, long ticket) {
        ofGrant("Release", process, of, ticket);
    }

    @Override
    public void lost(String process, LockKey of, long ticket, LossReason reason) {
        ofGrant("Lose", process, of, ticket, "why", quoted(reason));
    }

    // Processes

    @Override
    public void sessionStarted(String process, SessionId id) {
        write("Session", "p", names.process(process), "id", names.session(id));
    }

    @Override
    public void sessionLost(String process) {
        write("NoSession", "p", names.process(process));
    }

    @Override
    public void stops(String process) {
        write("Stop", "p", names.process(process));
    }

    @Override
    public void dies(String process) {
        write("Die", "p", names.process(process));
    }
}
