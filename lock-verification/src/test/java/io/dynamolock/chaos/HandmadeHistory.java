package io.dynamolock.chaos;

import java.util.ArrayList;
import java.util.List;

/** A history that nobody lived, as real processes would have written it. Nanoseconds are small numbers here. */
final class HandmadeHistory {

    private static final String KEY = "k";

    private final List<Section> sections = new ArrayList<>();
    private final List<HistoryEvent> events = new ArrayList<>();

    /** One attempt that was granted. */
    final class Section {

        private final String process;
        private final String id;
        private String key = KEY;
        private HoldMode mode = HoldMode.EXCLUSIVE;
        private long token;
        private long asked = -1;
        private long queued = -1;
        private long from;
        private long to;
        private long validFor = -1;
        private long foundLost = -1;
        private long downgraded = -1;
        private boolean losesItsPlace;
        private Boolean released;
        private String owner;
        private long last;
        private final List<Object[]> writes = new ArrayList<>();
        private final List<String> reads = new ArrayList<>();

        private Section(String process, String id) {
            this.process = process;
            this.id = id;
        }

        Section reads() {
            return of(Keys.SHARED, HoldMode.READ);
        }

        Section writes() {
            return of(Keys.SHARED, HoldMode.WRITE);
        }

        Section hasAPermit() {
            return of(Keys.TWO_PERMITS, HoldMode.PERMIT);
        }

        private Section of(String lock, HoldMode how) {
            key = lock;
            mode = how;
            return this;
        }

        Section token(long number) {
            token = number;
            return this;
        }

        Section asked(long at) {
            asked = at;
            return this;
        }

        Section queued(long number) {
            queued = number;
            return this;
        }

        /** Between its place in the queue and its grant. */
        Section losesItsSession() {
            losesItsPlace = true;
            return this;
        }

        Section goesOnAsReaderAt(long at) {
            downgraded = at;
            return this;
        }

        Section from(long at) {
            from = at;
            return this;
        }

        Section to(long at) {
            to = at;
            return this;
        }

        /** No heartbeat gets through any more. */
        Section validFor(long nanos) {
            validFor = nanos;
            return this;
        }

        Section foundLostAt(long at) {
            foundLost = at;
            return this;
        }

        Section released(boolean still) {
            released = still;
            return this;
        }

        Section holderInTable(String name, long number) {
            owner = name;
            last = number;
            return this;
        }

        /** @param writer the id of the section that wrote what is read */
        Section sees(String writer) {
            reads.add(writer + "-f");
            return this;
        }

        /** @param base the id of the section that wrote it, or {@code initial} */
        Section plain(String base, String outcome) {
            writes.add(new Object[] {Registers.PLAIN, "-p", base, outcome, "-"});
            return this;
        }

        Section fenced(String base, String outcome) {
            return fenced(base, outcome, "-");
        }

        Section fenced(String base, String outcome, String why) {
            writes.add(new Object[] {Registers.FENCED, "-f", base, outcome, why});
            return this;
        }

        private void write() {
            long start = asked >= 0 ? asked : from - 5;
            event(start, process, "ask", "id", id, "key", key, "mode", mode, "wait", "forever");
            event(start + 2, process, "asked", "id", id);
            event(start + 3, process, "queued", "id", id, "token", queued >= 0 ? queued : token);
            if (losesItsPlace) {
                event(start + 4, process, "session-lost", "session", "s");
            }
            event(from, process, "acquired", "id", id, "token", token);
            event(from, process, "grant", "id", id, "key", key, "token", token, "seen", from, "left", left(from));
            if (owner != null) {
                observe(from + 1, "holder", "owner", owner, "last", last, "entry", "e");
            }
            for (Object[] write : writes) {
                String value = id + write[1];
                String register = (String) write[0] + key;
                String base = write[2].equals("initial") ? Registers.initial(register) : "" + write[2] + write[1];
                observe(from + 2, "write", "register", register, "value", value, "base", base);
                observe(to - 1, "wrote", "value", value, "outcome", write[3], "why", write[4]);
            }
            if (downgraded >= 0) {
                observe(downgraded, "downgrading");
                observe(downgraded + 1, "downgraded");
            }
            for (String value : reads) {
                observe(to - 1, "read", "register", Registers.FENCED + key, "value", value);
            }
            if (foundLost >= 0) {
                event(foundLost, process, "unread", "id", id, "seen", foundLost, "left", 0);
            }
            observe(to, "releasing");
            event(to + 1, process, "released", "id", id, "still", released != null ? released : left(to) > 0);
        }

        private long left(long at) {
            if (foundLost >= 0 && at >= foundLost) {
                return 0;
            }
            return validFor < 0 ? 1_000_000 : Math.max(0, from + validFor - at);
        }

        private void observe(long at, String what, Object... fields) {
            List<Object> all = new ArrayList<>(List.of("id", id));
            all.addAll(List.of(fields));
            all.addAll(List.of("seen", at, "left", left(at)));
            event(at, process, what, all.toArray());
        }
    }

    Section section(String process, String id) {
        Section section = new Section(process, id);
        sections.add(section);
        return section;
    }

    void event(long at, String process, String what, Object... fields) {
        events.add(HistoryEvent.of(at, at / 1_000_000, process, what, fields));
    }

    void lostBeforeItHeard(String process, String id, long token, long asked, long heard) {
        event(asked, process, "ask", "id", id, "key", KEY, "mode", HoldMode.EXCLUSIVE, "wait", "forever");
        event(asked + 1, process, "asked", "id", id);
        event(heard, process, "grant", "id", id, "key", KEY, "token", token, "seen", heard, "left", 0);
    }

    /** Nothing is heard of it any more. */
    void heldAndNeverReleased(String process, String id, long token, long granted, long left) {
        event(granted - 20, process, "ask", "id", id, "key", KEY, "mode", HoldMode.EXCLUSIVE, "wait", "forever");
        event(granted - 10, process, "asked", "id", id);
        event(granted, process, "grant", "id", id, "key", KEY, "token", token, "seen", granted, "left", left);
    }

    void register(String register, String value, long landed) {
        event(1_000, "harness", "register", "target", register, "value", value, "landed", landed);
    }

    void draining(String process) {
        event(500, "harness", "draining", "target", process);
    }

    void finished(String process) {
        event(900, process, "finished");
    }

    void left(String kind, String owner, String session, String heartbeat) {
        event(
                950,
                "harness",
                "left",
                "target",
                "x",
                "kind",
                kind,
                "session",
                session,
                "owner",
                owner,
                "heartbeat",
                heartbeat);
    }

    /** With one worker that lived to the end, and needed no last grants. */
    Verdict verdict() {
        draining("survivor");
        finished("survivor");
        return verdictWithLastGrants(0);
    }

    Verdict verdictWithoutSurvivors() {
        return verdictWithLastGrants(0);
    }

    Verdict verdictWithLastGrants(int each) {
        sections.forEach(Section::write);
        return new Checker(each).check(Histories.of(events));
    }
}
