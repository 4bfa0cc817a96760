package io.dynamolock.chaos;

import java.util.ArrayList;
import java.util.List;

/**
 * A history that nobody lived, as real processes would have written it. Nanoseconds are small numbers here. It is told in
 * sentences, with a semicolon between them:
 *
 * <ul>
 *   <li>{@code a-1 #7 100..200} is a section: the first attempt of process {@code a} was granted with token 7 at 100, and ended
 *       at 200; without the end nothing more is heard of it. What else is to be said of it follows: see {@link Section}.
 *   <li>{@code @500 a finished} is what process {@code a} or the harness has written, with {@code field=value} behind it.
 *   <li>{@code due 1} says how many last grants each worker must have; otherwise none, and there is one worker that has lived to
 *       the end.
 * </ul>
 */
final class HandmadeHistory {

    private final List<HistoryEvent> events = new ArrayList<>();
    private int due;
    private boolean isSurvived = true;

    private HandmadeHistory(String story) {
        for (String sentence : story.split(";")) {
            tell(sentence.strip());
        }
        if (isSurvived) {
            tell("@500 harness draining target=survivor");
            tell("@900 survivor finished");
        }
    }

    static Verdict verdict(String story) {
        HandmadeHistory history = new HandmadeHistory(story);
        return new Checker(history.due).check(Histories.of(history.events.stream()));
    }

    private void tell(String sentence) {
        if (sentence.startsWith("@")) {
            events.add(HistoryEvent.parse(sentence.substring(1).replaceFirst(" ", " 0 ")));
        } else if (sentence.startsWith("due ")) {
            due = Integer.parseInt(sentence.substring("due ".length()));
            isSurvived = false;
        } else {
            new Section(sentence.split(" ")).write();
        }
    }

    /** One attempt that was granted. */
    private final class Section {

        private final String id;
        private final String process;
        private String key = "k";
        private HoldMode mode = HoldMode.EXCLUSIVE;
        private long token;
        private long from;
        private long to = -1;
        private long asked = -1;
        /** The token that it was told first, if it was another. */
        private long queued = -1;
        /** Between its place in the queue and its grant it loses its session. */
        private boolean isLost;
        /** How long it could count on the lock: no heartbeat gets through any more. */
        private long validFor = 1_000_000;

        private long foundLost = Long.MAX_VALUE;
        private long readerFrom = -1;
        private String released = "";
        private String[] inTable = {};
        /** The ids of the sections that wrote what it reads. */
        private final List<String> seen = new ArrayList<>();
        /** Register, the id of the section that wrote what it had read, what became of it, and why. */
        private final List<String[]> writes = new ArrayList<>();

        Section(String[] words) {
            id = words[0];
            process = id.split("-")[0];
            for (int i = 1; i < words.length; i++) {
                String[] word = words[i].split("=");
                understand(word[0], word[word.length - 1]);
            }
            asked = asked >= 0 ? asked : from - 5;
            queued = queued >= 0 ? queued : token;
        }

        private void understand(String word, String value) {
            switch (word) {
                case "reads" -> hold(Keys.SHARED, HoldMode.READ);
                case "writes" -> hold(Keys.SHARED, HoldMode.WRITE);
                case "permit" -> hold(Keys.TWO_PERMITS, HoldMode.PERMIT);
                case "asked" -> asked = Long.parseLong(value);
                case "queued" -> queued = Long.parseLong(value);
                case "session-lost" -> isLost = true;
                case "valid" -> validFor = Long.parseLong(value);
                case "found-lost" -> foundLost = Long.parseLong(value);
                case "reader-from" -> readerFrom = Long.parseLong(value);
                case "released" -> released = value;
                case "in-table" -> inTable = value.split("/");
                case "sees" -> seen.add(value);
                case "plain", "fenced" -> writes.add((word + "#/" + value + "/-").split("/"));
                default -> {
                    if (word.startsWith("#")) {
                        token = Long.parseLong(word.substring(1));
                    } else {
                        String[] times = word.split("\\.\\.");
                        from = Long.parseLong(times[0]);
                        to = times.length == 1 ? to : Long.parseLong(times[1]);
                    }
                }
            }
        }

        private void hold(String lock, HoldMode how) {
            key = lock;
            mode = how;
        }

        void write() {
            add(asked, "ask id=%s key=%s mode=%s wait=forever", id, key, mode);
            add(asked + 2, "asked id=%s", id);
            add(asked + 3, "queued id=%s token=%s", id, queued);
            if (isLost) {
                add(asked + 4, "session-lost session=s");
            }
            add(from, "acquired id=%s token=%s", id, token);
            observe(from, "grant key=%s token=%s", key, token);
            if (to < 0) {
                return;
            }
            if (inTable.length > 0) {
                observe(from + 1, "holder owner=%s last=%s", inTable[0], inTable[1]);
            }
            for (String[] write : writes) {
                String suffix = "-" + write[0].charAt(0);
                String register = write[0] + key;
                String base = write[1].equals("initial") ? Registers.initial(register) : write[1] + suffix;
                observe(from + 2, "write register=%s value=%s base=%s", register, id + suffix, base);
                observe(to - 1, "wrote value=%s outcome=%s why=%s", id + suffix, write[2], write[3]);
            }
            if (readerFrom >= 0) {
                observe(readerFrom, "downgrading");
                observe(readerFrom + 1, "downgraded");
            }
            for (String writer : seen) {
                observe(to - 1, "read register=%s value=%s", Registers.FENCED + key, writer + "-f");
            }
            if (foundLost < to) {
                observe(foundLost, "unread");
            }
            observe(to, "releasing");
            add(to + 1, "released id=%s still=%s", id, released.isEmpty() ? left(to) > 0 : released);
        }

        private long left(long at) {
            return at >= foundLost ? 0 : Math.max(0, from + validFor - at);
        }

        private void observe(long at, String text, Object... values) {
            add(at, text + " id=" + id + " seen=" + at + " left=" + left(at), values);
        }

        private void add(long at, String text, Object... values) {
            events.add(HistoryEvent.parse(HistoryEvent.line(at, process, text, values)));
        }
    }
}
