package io.dynamolock.chaos;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The locks of a run. How a lock is held goes by its key, so that the rules need to know nothing else. */
final class Keys {

    /** For readers and writers. */
    static final String SHARED = "shared";

    /** With as many permits as the key ends with. */
    static final String TWO_PERMITS = "permits-2";

    private static final String PERMITS = "permits-";

    private Keys() {}

    /** So many locks for one holder at a time, one for readers and writers, and one with permits. */
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

    /** How many callers may hold a lock at once, if their modes go together. */
    static int mostTogether(String key) {
        return switch (modes(key).get(0)) {
            case EXCLUSIVE -> 1;
            case WRITE, READ -> Integer.MAX_VALUE;
            case PERMIT -> Integer.parseInt(key.substring(PERMITS.length()));
        };
    }

    /** The locks of a run that protect registers: such as are held alone. */
    static List<String> withRegisters(int exclusive) {
        return of(exclusive).stream()
                .filter(key -> modes(key).stream().anyMatch(HoldMode::isAlone))
                .toList();
    }

    /** How many holds each thread of a worker has after all faults: one of each lock in each mode. */
    static int lastHolds(int exclusive) {
        return of(exclusive).stream().mapToInt(key -> modes(key).size()).sum();
    }
}
