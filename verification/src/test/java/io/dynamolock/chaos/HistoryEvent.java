package io.dynamolock.chaos;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * One line of a history: {@code nanos wallMillis process what field=value ...}. The wall clock is for people.
 *
 * @param nanos {@link System#nanoTime()}, which all processes of one machine share
 * @param process the process that wrote the line: the worker's name and how often it had been started
 * @param what happened
 * @param fields the details; values have no spaces
 */
record HistoryEvent(long nanos, String process, String what, Map<String, String> fields, String line) {

    /** @param text {@code what field=%s ...}, with a value for each {@code %s} */
    static String line(long nanos, String process, String text, Object... values) {
        Object[] words = Stream.of(values)
                .map(value -> String.valueOf(value).replaceAll("\\s+", "_"))
                .toArray();
        return nanos + " " + System.currentTimeMillis() + " " + process + " " + String.format(text, words);
    }

    /** @throws IllegalArgumentException if it is no line of a history */
    static HistoryEvent parse(String line) {
        String[] words = line.split(" ");
        if (words.length < 4) {
            throw new IllegalArgumentException(line);
        }
        Map<String, String> fields = new HashMap<>();
        for (int i = 4; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException(line);
            }
            fields.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        return new HistoryEvent(Long.parseLong(words[0]), words[2], words[3], fields, line);
    }

    String text(String field) {
        return Objects.requireNonNull(fields.get(field), () -> field + " is missing in: " + line);
    }

    long number(String field) {
        return Long.parseLong(text(field));
    }

    boolean is(String field) {
        return Boolean.parseBoolean(text(field));
    }
}
