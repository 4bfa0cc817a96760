package io.dynamolock.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A made-up history, in the format that real processes write. Nanoseconds are small numbers here. The history is given
 * as sentences, separated by semicolons:
 *
 * <ul>
 *   <li>{@code a-1 #7 100..200} is a section: the first attempt of process {@code a} was granted with token 7 at 100,
 *   and ended at 200; without an end, no later line tells of the section. Further words may follow; see {@link
 *   Section}.
 *   <li>{@code @500 a finished} is a line that process {@code a} or the harness has written; its fields follow as
 *   {@code field=value}.
 *   <li>{@code due 1} says how many last grants each worker must have. Without it none are due, and one worker has
 *   lived to the end.
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

    /**
     * An attempt that was granted. It holds the lock alone, unless it {@code reads}, {@code writes} or has a {@code
     * permit}. {@code asked=} is when it asked, {@code queued=} the token that it was first told; {@code session-lost}
     * puts the loss of a session before its grant. {@code valid=} is how long it was valid, {@code found-lost=} when it
     * found the lock lost, {@code reader-from=} when a writer went on as a reader. {@code in-table=owner/ticket} is the
     * holder that the table showed; {@code sees=} names the section whose value it read. {@code plain=} and {@code
     * fenced=} are its writes: the section whose value it had read before, the outcome of the write, and the reason.
     */
    private final class Section {

        private final String id;
        private final String process;
        private final HoldMode mode;
        private final Map<String, List<String>> words = new HashMap<>();
        private long token;
        private long from;
        private long to = -1;

        Section(String[] sentence) {
            id = sentence[0];
            process = id.split("-")[0];
            for (int i = 1; i < sentence.length; i++) {
                String[] word = sentence[i].split("=|\\.\\.");
                if (word[0].startsWith("#")) {
                    token = Long.parseLong(word[0].substring(1));
                } else if (sentence[i].contains("..")) {
                    from = Long.parseLong(word[0]);
                    to = word.length == 1 ? to : Long.parseLong(word[1]);
                } else {
                    words.computeIfAbsent(word[0], absent -> new ArrayList<>()).add(word[word.length - 1]);
                }
            }
            mode = words.containsKey("reads")
                    ? HoldMode.READ
                    : words.containsKey("writes")
                            ? HoldMode.WRITE
                            : words.containsKey("permit") ? HoldMode.PERMIT : HoldMode.EXCLUSIVE;
        }

        private List<String> all(String word) {
            return words.getOrDefault(word, List.of());
        }

        private long number(String word, long otherwise) {
            return words.containsKey(word) ? Long.parseLong(all(word).get(0)) : otherwise;
        }

        private String key() {
            return switch (mode) {
                case EXCLUSIVE -> "k";
                case READ, WRITE -> Keys.SHARED;
                case PERMIT -> Keys.TWO_PERMITS;
            };
        }

        void write() {
            long asked = number("asked", from - 5);
            add(asked, "ask id=%s key=%s mode=%s wait=forever", id, key(), mode);
            add(asked + 2, "asked id=%s", id);
            add(asked + 3, "queued id=%s token=%s", id, number("queued", token));
            all("session-lost").forEach(word -> add(asked + 4, "session-lost session=s"));
            add(from, "acquired id=%s token=%s", id, token);
            observe(from, "grant key=%s token=%s", key(), token);
            if (to < 0) {
                return;
            }
            for (String holder : all("in-table")) {
                observe(from + 1, "holder owner=%s last=%s", (Object[]) holder.split("/"));
            }
            all("plain").forEach(write -> write(Registers.PLAIN, "-p", (write + "/-").split("/")));
            all("fenced").forEach(write -> write(Registers.FENCED, "-f", (write + "/-").split("/")));
            all("reader-from").forEach(at -> observe(Long.parseLong(at), "downgrading"));
            all("sees").forEach(writer -> observe(to - 1, "read register=fenced#%s value=%s-f", key(), writer));
            all("found-lost").forEach(at -> observe(Long.parseLong(at), "unread"));
            observe(to, "releasing");
            Object still = words.containsKey("released") ? all("released").get(0) : left(to) > 0;
            add(to + 1, "released id=%s still=%s", id, still);
        }

        private void write(String kind, String suffix, String[] write) {
            String register = kind + key();
            String base = write[0].equals("initial") ? Registers.initial(register) : write[0] + suffix;
            observe(from + 2, "write register=%s value=%s base=%s", register, id + suffix, base);
            observe(to - 1, "wrote value=%s outcome=%s why=%s", id + suffix, write[1], write[2]);
        }

        private long left(long at) {
            return at >= number("found-lost", Long.MAX_VALUE) ? 0 : Math.max(0, from + number("valid", 1_000_000) - at);
        }

        private void observe(long at, String text, Object... values) {
            add(at, text + " id=" + id + " seen=" + at + " left=" + left(at), values);
        }

        private void add(long at, String text, Object... values) {
            events.add(HistoryEvent.parse(HistoryEvent.line(at, process, text, values)));
        }
    }
}
