package io.dynamolock.scale;

/**
 * Capacity units used, and throttled calls.
 *
 * @param lockReads read units used on locks and queues
 * @param lockWrites write units used on locks and queues
 * @param lifeReads read units used to see whether other processes live
 * @param lifeWrites write units used to stay alive: heartbeats
 * @param throttled throttled calls, which use no capacity
 */
record Usage(double lockReads, double lockWrites, double lifeReads, double lifeWrites, long throttled) {

    static final Usage NONE = new Usage(0, 0, 0, 0, 0);

    Usage plus(Usage more) {
        return new Usage(
                lockReads + more.lockReads,
                lockWrites + more.lockWrites,
                lifeReads + more.lifeReads,
                lifeWrites + more.lifeWrites,
                throttled + more.throttled);
    }
}
