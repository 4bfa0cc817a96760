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

    private static final double READS_FOR_THE_PRICE_OF_A_WRITE = 5;

    public Usage minus(Usage earlier) {
        return new Usage(
                writes - earlier.writes,
                reads - earlier.reads,
                writeUnits - earlier.writeUnits,
                readUnits - earlier.readUnits);
    }

    /** Reads and writes together, one unit like the other. */
    public double units() {
        return writeUnits + readUnits;
    }

    /** Reads and writes together at the prices on demand, where a read unit costs a fifth of a write unit. */
    public double pricedUnits() {
        return writeUnits + readUnits / READS_FOR_THE_PRICE_OF_A_WRITE;
    }
}
