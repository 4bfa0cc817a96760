package io.dynamolock.test;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.protocol.LockKey;
import java.util.List;
import java.util.stream.Collectors;

/** What the code under test holds, for assertions. */
record Holds(List<LockAdmin.Held> held) {

    Holds(LockRegistry registry) {
        this(registry.admin().held());
    }

    void assertHeld(LockKey key, boolean expected) {
        boolean isHeld = held.stream().anyMatch(lock -> of(lock).equals(key));
        if (isHeld != expected) {
            throw new AssertionError("The code under test " + (expected ? "does not hold " : "holds ")
                    + WatchedEngine.describe(key) + ". " + inWords());
        }
    }

    String inWords() {
        return held.isEmpty()
                ? "It holds nothing."
                : held.stream()
                        .map(lock -> WatchedEngine.describe(of(lock)) + " as " + lock.name())
                        .collect(Collectors.joining(", ", "It holds: ", "."));
    }

    private static LockKey of(LockAdmin.Held lock) {
        return new LockKey(lock.key(), lock.namespace());
    }
}
