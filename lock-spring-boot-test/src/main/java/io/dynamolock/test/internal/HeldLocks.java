package io.dynamolock.test.internal;

import io.dynamolock.LockAdmin;
import io.dynamolock.internal.testbed.LockTestbed;
import java.util.List;
import java.util.stream.Collectors;

/** The locks that the code under test holds at one moment, for assertions. */
public record HeldLocks(List<LockAdmin.Held> held) {

    /** @throws AssertionError if the code under test does not hold the lock; the message says what it holds */
    public void assertHeld(String key, String namespace) {
        if (!contains(key, namespace)) {
            throw new AssertionError(
                    "The code under test does not hold " + LockTestbed.describe(key, namespace) + ". " + inWords());
        }
    }

    /** @throws AssertionError if the code under test holds the lock */
    public void assertNotHeld(String key, String namespace) {
        if (contains(key, namespace)) {
            throw new AssertionError(
                    "The code under test holds " + LockTestbed.describe(key, namespace) + ". " + inWords());
        }
    }

    private boolean contains(String key, String namespace) {
        return held.stream()
                .anyMatch(lock -> lock.key().equals(key) && lock.namespace().equals(namespace));
    }

    /** The held locks, as a sentence for messages. */
    public String inWords() {
        return held.isEmpty()
                ? "It holds nothing."
                : held.stream()
                        .map(lock -> LockTestbed.describe(lock.key(), lock.namespace()) + " as " + lock.name())
                        .collect(Collectors.joining(", ", "It holds: ", "."));
    }
}
