package io.dynamolock.sample.rush;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.sample.orders.Customer;
import io.dynamolock.sample.rush.RushResult.Verdict;
import java.math.BigDecimal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RushResultTest {

    @ParameterizedTest
    @CsvSource({"25.0, RIGHT", "25.00, RIGHT", "12.50, ORDERS_LOST", "37.50, OTHERS_ORDERED_TOO"})
    void judgesByTheTotal(BigDecimal total, Verdict verdict) {
        Customer after = new Customer("42", 2, total, 0);

        assertThat(RushResult.judge(new BigDecimal("25"), after)).isEqualTo(verdict);
    }
}
