package io.dynamolock.sample.rush;

import io.dynamolock.sample.orders.Customer;
import java.math.BigDecimal;

/**
 * The result of a rush with one kind of lock.
 *
 * @param arrived how many orders were accepted
 * @param failed how many ended with an error, for example because the lock was not free in time
 * @param lost how many were accepted and are not in the customer's count
 * @param expectedTotal the total before the rush and the orders that arrived
 * @param verdict whether the total is right
 * @param calls what this process sent to DynamoDB during the rush, for orders and locks
 * @param overtakings how many orders began while another order that had come more than 100 ms earlier was still waiting
 */
public record RushResult(
        RushLock lock,
        int arrived,
        int failed,
        long lost,
        BigDecimal totalBefore,
        BigDecimal expectedTotal,
        BigDecimal totalAfter,
        Verdict verdict,
        Calls calls,
        WaitTimes waited,
        int overtakings,
        long tookMillis) {

    /** Whether the customer's total is right, judged by the difference that this rush made. */
    public enum Verdict {
        RIGHT,
        ORDERS_LOST,
        /** The total is greater than this rush explains: somebody else ordered for the customer at the same time. */
        OTHERS_ORDERED_TOO
    }

    static Verdict judge(BigDecimal expectedTotal, Customer after) {
        int difference = after.total().compareTo(expectedTotal);
        if (difference == 0) {
            return Verdict.RIGHT;
        }
        return difference < 0 ? Verdict.ORDERS_LOST : Verdict.OTHERS_ORDERED_TOO;
    }
}
