package io.dynamolock.sample.page;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything the page shows, at one moment. Each event carries a whole state, so a reader who misses an event misses
 * nothing. Tickets are fencing tokens, counted from the first that the page saw.
 *
 * @param leaseMillis how long an instance may be silent before the others take it for dead
 * @param holder whose turn it is; null if nobody holds the lock, or a caller of another process does
 * @param line the callers that wait, in the order of their turns, as the table shows them
 * @param served the turns of the present rush, in their order
 * @param rush the rush that runs, or ran last
 * @param results the results of the last rush with the lock and of the last rush without it
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
     * @param hold what a person has the instance do
     * @param waiting how many of its callers wait
     * @param lost how often the instance has lost the lock
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
     * Callers of one instance that stand one behind the other in the line.
     *
     * @param instance null if the callers belong to another process
     */
    record Group(@Nullable InstanceName instance, long first, long last) {}

    /** The progress of a rush. */
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
     * The result of a rush.
     *
     * @param arrived how many orders were accepted
     * @param failed how many got an error instead
     * @param lost how many were accepted and are not in the customer's count
     * @param outOfOrder how many turns had a smaller ticket than the turn before
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
