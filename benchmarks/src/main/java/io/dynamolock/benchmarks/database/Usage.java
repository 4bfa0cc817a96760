package io.dynamolock.benchmarks.database;

/**
 * What a span of work asked of DynamoDB.
 *
 * @param writes calls that write, also those whose condition failed, each attempt
 * @param reads calls that read, each attempt
 * @param writeUnits consumed capacity of the writes
 * @param readUnits consumed capacity of the reads
 */
public record Usage(long writes, long reads, double writeUnits, double readUnits) {

    public static final Usage NONE = new Usage(0, 0, 0, 0);

    public Usage minus(Usage earlier) {
        return new Usage(
                writes - earlier.writes,
                reads - earlier.reads,
                writeUnits - earlier.writeUnits,
                readUnits - earlier.readUnits);
    }

    public Usage plus(Usage other) {
        return new Usage(
                writes + other.writes, reads + other.reads, writeUnits + other.writeUnits, readUnits + other.readUnits);
    }

    /** Reads and writes together, one unit like the other. */
    public double units() {
        return writeUnits + readUnits;
    }
}
