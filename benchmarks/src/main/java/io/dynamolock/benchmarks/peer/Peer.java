package io.dynamolock.benchmarks.peer;

import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import java.util.List;

/** A lock to be measured. */
public interface Peer {

    /** A short word for options, tables' names and charts. */
    String id();

    /** What people call it, with its version. */
    String title();

    /** How it was set up, and what was decided for it. */
    String setUp();

    /** The key attributes of its table, all strings: the partition key, then the sort key if it has one. */
    List<String> keyAttributes();

    /**
     * An instance as a process would have it, with clients of its own.
     *
     * @param name distinguishes it from the other processes
     * @param meter counts all calls that it makes
     */
    LockProcess start(Database database, String table, String name, CallMeter meter);
}
