package io.dynamolock.benchmarks.database;

/**
 * The calls and the capacity that a span of work used.
 *
 * @param writes attempts to write, including those whose condition failed
 * @param reads attempts to read
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

    /** Read and write units added up. */
    public double units() {
        return writeUnits + readUnits;
    }

    /** Write units, and read units at a fifth each: the ratio of on-demand prices. */
    public double pricedUnits() {
        return writeUnits + readUnits / READS_FOR_THE_PRICE_OF_A_WRITE;
    }
}
