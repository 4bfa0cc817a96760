package io.dynamolock.test.internal;

import io.dynamolock.LockAdmin;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The locks that the code under test was granted, in their order; of more than 10,000 the latest. Thread-safe. */
public final class GrantedLocks {

    /** Bounds the memory of a test that runs for hours. */
    private static final int CAPACITY = 10_000;

    private final Deque<LockAdmin.Held> grants = new ArrayDeque<>();

    /** @param grant the lock as it was at the moment of the grant */
    public synchronized void add(LockAdmin.Held grant) {
        if (grants.size() == CAPACITY) {
            grants.removeFirst();
        }
        grants.addLast(grant);
    }

    public synchronized List<LockAdmin.Held> list() {
        return List.copyOf(grants);
    }

    public synchronized void clear() {
        grants.clear();
    }
}
