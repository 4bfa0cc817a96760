package io.dynamolock.test;

import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.TimeSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What was granted to the code under test. Thread-safe. */
final class GrantedLocks {

    /** A test that runs for hours keeps the latest. */
    private static final int MOST = 10_000;

    private final TimeSource time;
    private final Deque<LockEntry> entries = new ArrayDeque<>();

    GrantedLocks(TimeSource time) {
        this.time = time;
    }

    synchronized void add(Grant grant) {
        if (entries.size() == MOST) {
            entries.removeFirst();
        }
        entries.addLast(new LockEntry(
                grant.spec().name(), grant.key().key(), grant.key().namespace(), grant.ticket(), time.now()));
    }

    synchronized List<LockEntry> all() {
        return List.copyOf(entries);
    }

    synchronized void clear() {
        entries.clear();
    }
}
