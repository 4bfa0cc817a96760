package io.dynamolock.chaos;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * One line of a history: {@code nanos wallMillis process what field=value ...}.
 *
 * @param nanos {@link System#nanoTime()}, which all processes of one machine share
 * @param wallMillis the wall clock, for people
 * @param process which process wrote it: the worker's name and how often it had been started
 * @param what happened
 * @param fields more about it; values have no spaces
 */
record HistoryEvent(long nanos, long wallMillis, String process, String what, Map<String, String> fields) {

    static HistoryEvent of(long nanos, long wallMillis, String process, String what, Object... fields) {
        Map<String, String> named = new LinkedHashMap<>();
        for (int i = 0; i < fields.length; i += 2) {
            named.put((String) fields[i], String.valueOf(fields[i + 1]).replaceAll("\\s+", "_"));
        }
        return new HistoryEvent(nanos, wallMillis, process, what, named);
    }

    /** @throws IllegalArgumentException if it is none, as the last line of a killed process may be */
    static HistoryEvent parse(String line) {
        String[] words = line.split(" ");
        if (words.length < 4) {
            throw new IllegalArgumentException(line);
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 4; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException(line);
            }
            fields.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        return new HistoryEvent(Long.parseLong(words[0]), Long.parseLong(words[1]), words[2], words[3], fields);
    }

    String line() {
        StringJoiner line = new StringJoiner(" ");
        line.add(Long.toString(nanos))
                .add(Long.toString(wallMillis))
                .add(process)
                .add(what);
        fields.forEach((name, value) -> line.add(name + "=" + value));
        return line.toString();
    }

    String text(String field) {
        return Objects.requireNonNull(fields.get(field), () -> field + " is missing in: " + line());
    }

    long number(String field) {
        return Long.parseLong(text(field));
    }

    boolean is(String field) {
        return Boolean.parseBoolean(text(field));
    }
}
