package io.dynamolock.chaos;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The locks of a run. The key of a lock says how the lock is held, so that the rules need to know nothing else. */
final class Keys {

    /** For readers and writers. */
    static final String SHARED = "shared";

    /** A key that ends with its number of permits. */
    static final String TWO_PERMITS = "permits-2";

    private static final String PERMITS = "permits-";

    private Keys() {}

    /** This many locks for one holder at a time, one for readers and writers, and one with permits. */
    static List<String> of(int exclusive) {
        return Stream.concat(IntStream.range(0, exclusive).mapToObj(i -> "key" + i), Stream.of(SHARED, TWO_PERMITS))
                .toList();
    }

    /** The modes in which a lock is held; the most usual one is the last. */
    static List<HoldMode> modes(String key) {
        if (key.equals(SHARED)) {
            return List.of(HoldMode.WRITE, HoldMode.READ);
        }
        return List.of(key.startsWith(PERMITS) ? HoldMode.PERMIT : HoldMode.EXCLUSIVE);
    }

    /** How many callers with compatible modes may hold a lock at once. */
    static int mostTogether(String key) {
        return switch (modes(key).get(0)) {
            case EXCLUSIVE -> 1;
            case WRITE, READ -> Integer.MAX_VALUE;
            case PERMIT -> Integer.parseInt(key.substring(PERMITS.length()));
        };
    }

    /** The locks that protect registers: those that one caller can hold alone. */
    static List<String> withRegisters(int exclusive) {
        return of(exclusive).stream()
                .filter(key -> modes(key).stream().anyMatch(HoldMode::isAlone))
                .toList();
    }

    /** How many holds each thread of a worker has after the last fault: one of each lock in each mode. */
    static int lastHolds(int exclusive) {
        return of(exclusive).stream().mapToInt(key -> modes(key).size()).sum();
    }
}
