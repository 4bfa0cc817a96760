package io.dynamolock.test.internal;

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The locked methods that the code under test has entered, with the locks that it held then. Thread-safe. */
public final class MethodEntries {

    /** Bounds the memory of a test that runs for hours: the latest entries are kept. */
    private static final int CAPACITY = 10_000;

    /** A lock at the moment of the entry. */
    record Lock(String key, String namespace, boolean valid) {

        @Override
        public String toString() {
            return "'" + key + "'" + (valid ? "" : " (lost by then)");
        }
    }

    private record Entry(Class<?> type, String method, List<Lock> locks) {

        @Override
        public String toString() {
            return locks.isEmpty()
                    ? "without a lock"
                    : "under " + locks.stream().map(Lock::toString).collect(Collectors.joining(" and "));
        }
    }

    private final Deque<Entry> entries = new ArrayDeque<>();

    synchronized void entered(Class<?> type, Method method, List<Lock> locks) {
        if (entries.size() == CAPACITY) {
            entries.removeFirst();
        }
        entries.addLast(new Entry(type, method.getName(), locks));
    }

    public synchronized void clear() {
        entries.clear();
    }

    /** @throws AssertionError if there was no such entry; the message says what was seen */
    public void assertEntered(Class<?> type, String method, String key, @Nullable String namespace) {
        if (Arrays.stream(type.getMethods()).noneMatch(known -> known.getName().equals(method))
                && Arrays.stream(type.getDeclaredMethods())
                        .noneMatch(known -> known.getName().equals(method))) {
            throw new IllegalArgumentException(type.getSimpleName() + " has no method " + method + ".");
        }
        List<Entry> seen = entriesOf(type, method);
        boolean found = seen.stream()
                .flatMap(entry -> entry.locks().stream())
                .anyMatch(lock -> lock.valid()
                        && lock.key().equals(key)
                        && (namespace == null || lock.namespace().equals(namespace)));
        if (!found) {
            throw new AssertionError(type.getSimpleName() + "." + method + " was not entered under lock '" + key + "'"
                    + (namespace == null ? "" : " in namespace '" + namespace + "'") + ". "
                    + (seen.isEmpty() ? notEntered() : "It was entered " + inWords(seen) + "."));
        }
    }

    private synchronized List<Entry> entriesOf(Class<?> type, String method) {
        return entries.stream()
                .filter(entry ->
                        type.isAssignableFrom(entry.type()) && entry.method().equals(method))
                .toList();
    }

    private static String inWords(List<Entry> seen) {
        return seen.stream().map(Entry::toString).distinct().limit(10).collect(Collectors.joining(", "));
    }

    private synchronized String notEntered() {
        String others = entries.stream()
                .map(entry -> entry.type().getSimpleName() + "." + entry.method() + " " + entry)
                .distinct()
                .limit(10)
                .collect(Collectors.joining(", "));
        return "It was not entered through a Spring bean with @DynamoLocked: a call within the same object takes no lock, and"
                + " a wait that is over enters nothing. "
                + (others.isEmpty() ? "No locked method was entered." : "Entered were: " + others + ".");
    }
}
