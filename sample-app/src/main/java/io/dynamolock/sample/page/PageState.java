package io.dynamolock.sample.page;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that the page shows, at one moment. Each event carries a whole state, so that a reader who missed some of them
 * misses nothing. Tickets are fencing tokens, counted from the first that the page saw.
 *
 * @param leaseMillis how long an instance may be silent before the others take it for dead
 * @param holder whose turn it is; null if it is nobody's, or not one of this process
 * @param line who waits, in the order of their turns, as the table says
 * @param served the turns of the present rush, in the order in which they were had
 * @param rush the rush that runs, or ran last
 * @param results what became of the last rush with the lock, and of the last without
 * @param news what happened, the latest first
 */
record PageState(
        long leaseMillis,
        List<InstanceState> instances,
        @Nullable Ticket holder,
        List<Group> line,
        List<Ticket> served,
        @Nullable Progress rush,
        List<Result> results,
        List<News> news) {

    /**
     * One of the two instances.
     *
     * @param hold what a person has it do
     * @param waiting its callers that wait
     * @param lost how often it has lost the lock
     */
    record InstanceState(InstanceName name, Hold hold, boolean frozen, int waiting, int lost) {}

    /** Whether a person has an instance hold the lock. */
    enum Hold {
        NONE,
        WAITS,
        HOLDS
    }

    /**
     * One turn.
     *
     * @param waitedMillis from the call to the grant
     */
    record Ticket(InstanceName instance, long number, long waitedMillis) {}

    /**
     * Callers of one instance that stand together.
     *
     * @param instance null if they are of another process
     */
    record Group(@Nullable InstanceName instance, long first, long last) {}

    /** How far a rush is. */
    record Progress(boolean lock, boolean running, int orders, int arrived, int failed, int outOfOrder) {

        Progress withOneArrived() {
            return new Progress(lock, running, orders, arrived + 1, failed, outOfOrder);
        }

        Progress withOneFailed() {
            return new Progress(lock, running, orders, arrived, failed + 1, outOfOrder);
        }

        Progress withOneOutOfOrder() {
            return new Progress(lock, running, orders, arrived, failed, outOfOrder + 1);
        }

        Progress ended() {
            return new Progress(lock, false, orders, arrived, failed, outOfOrder);
        }
    }

    /**
     * What became of a rush.
     *
     * @param arrived how many orders were accepted
     * @param failed how many got an error instead
     * @param lost how many were accepted and are not in the customer's count
     * @param outOfOrder how many had a smaller ticket than the turn before theirs
     */
    record Result(
            boolean lock,
            int arrived,
            int failed,
            long lost,
            int outOfOrder,
            long medianMillis,
            long maxMillis,
            long tookMillis) {}

    /** Something that happened, as a sentence. */
    record News(long id, Instant at, Kind kind, String text) {}

    enum Kind {
        PLAIN,
        GOOD,
        BAD
    }
}
