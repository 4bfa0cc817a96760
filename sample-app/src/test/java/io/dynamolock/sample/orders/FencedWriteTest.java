package io.dynamolock.sample.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.sample.WholeApplication;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@WholeApplication
class FencedWriteTest {

    @Autowired
    private CustomerTable customers;

    @Test
    void aWriteBehindALaterTurnIsRefused() {
        Customer before = customers.read("gina");
        Customer later = before.withOrder(BigDecimal.TEN).fencedBy(8);
        Customer late = before.withOrder(BigDecimal.ONE).fencedBy(7);
        customers.writeFenced(later);

        assertThatThrownBy(() -> customers.writeFenced(late))
                .isInstanceOf(StaleWriteException.class)
                .hasMessageContaining("gina")
                .hasMessageContaining("7");
        assertThat(customers.read("gina")).isEqualTo(later);
    }

    @Test
    void oneTurnMayWriteTwice() {
        Customer once = customers.read("hugo").withOrder(BigDecimal.TEN).fencedBy(8);
        Customer twice = once.withOrder(BigDecimal.TEN);
        customers.writeFenced(once);
        customers.writeFenced(twice);

        assertThat(customers.read("hugo")).isEqualTo(twice);
    }

    @Test
    void aPlainWriteKeepsTheFence() {
        Customer fenced = customers.read("ida").withOrder(BigDecimal.TEN).fencedBy(8);
        customers.writeFenced(fenced);
        customers.write(fenced.withOrder(BigDecimal.TEN));

        assertThat(customers.read("ida").fencingToken()).isEqualTo(8);
    }
}
