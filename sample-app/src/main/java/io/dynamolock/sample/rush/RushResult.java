package io.dynamolock.sample.rush;

import io.dynamolock.sample.orders.Customer;
import java.math.BigDecimal;

/**
 * What became of a rush with one lock.
 *
 * @param arrived how many orders were accepted
 * @param failed how many got an error instead, such as a lock that was not free in time
 * @param lost how many were accepted and are not in the customer's count
 * @param expectedTotal the total before the rush and the orders that arrived
 * @param verdict whether the total is right
 * @param calls what this process sent to DynamoDB meanwhile, orders and locks together
 * @param overtakings how many orders began while an order of this rush was waiting that had come more than 100 ms
 *     earlier
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
        /** There is more than this rush has ordered: somebody else ordered for the customer at the same time. */
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
