package io.dynamolock.sample.rush;

import io.dynamolock.sample.orders.Customer;
import java.math.BigDecimal;

/**
 * What became of a rush.
 *
 * @param arrived how many orders were accepted
 * @param failed how many got an error instead, such as a lock that was not free in time
 * @param lost how many were accepted and are not in the customer's count
 * @param expectedTotal the total before the rush and the orders that arrived
 * @param verdict whether the total is right
 */
public record RushReport(
        String customer,
        int orders,
        boolean locked,
        int arrived,
        int failed,
        long lost,
        BigDecimal totalBefore,
        BigDecimal expectedTotal,
        BigDecimal totalAfter,
        Verdict verdict,
        WaitTimes waited,
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
