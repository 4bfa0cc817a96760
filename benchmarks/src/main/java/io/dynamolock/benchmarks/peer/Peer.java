package io.dynamolock.benchmarks.peer;

import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import java.util.List;

/** A lock to be measured. */
public interface Peer {

    /** A short word for options, tables' names and charts. */
    String id();

    /** The usual name of the lock, with its version. */
    String title();

    /** The settings of the lock, and the decisions behind them. */
    String setUp();

    /** The key attributes of its table, all strings: the partition key, then the sort key if it has one. */
    List<String> keyAttributes();

    /**
     * An instance as a process would have it, with clients of its own.
     *
     * @param name distinguishes the process from the others
     * @param meter counts the calls of the process
     */
    LockProcess start(Database database, String table, String name, CallMeter meter);
}
