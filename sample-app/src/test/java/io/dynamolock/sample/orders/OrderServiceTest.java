package io.dynamolock.sample.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.never;

import io.dynamolock.LockLostException;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.sample.SampleProperties;
import io.dynamolock.test.DynamoLockTest;
import io.dynamolock.test.TestLocks;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** How to test code that uses locks: on the real engine, in memory, without waiting. */
@DynamoLockTest
@Import(OrderService.class)
@EnableConfigurationProperties(SampleProperties.class)
class OrderServiceTest {

    @Autowired
    private OrderService orders;

    @Autowired
    private TestLocks locks;

    @MockitoBean
    private CustomerTable customers;

    @BeforeEach
    void aCustomer() {
        given(customers.read("42")).willReturn(Customer.withoutOrders("42"));
    }

    @Test
    void anOrderIsPlacedUnderTheLockOfItsCustomer() {
        orders.place("42", BigDecimal.TEN);

        locks.assertEnteredUnderLock(OrderService.class, "place", "customer:42");
    }

    @Test
    void aBusyCustomerGetsNoOrder() {
        locks.timeOut("customer:42");

        assertThatThrownBy(() -> orders.place("42", BigDecimal.TEN)).isInstanceOf(LockTimeoutException.class);
        then(customers).should(never()).write(any());
    }

    @Test
    void anOrderWaitsForTheOneBefore() {
        locks.occupy("customer:42", Duration.ofSeconds(30));
        CompletableFuture<PlacedOrder> order = CompletableFuture.supplyAsync(() -> orders.place("42", BigDecimal.TEN));
        locks.awaitWaiting("customer:42");

        locks.advance(Duration.ofSeconds(30));

        assertThat(order).succeedsWithin(10, TimeUnit.SECONDS);
    }

    @Test
    void anOrderThatLostItsLockIsNotReportedAsPlaced() {
        willAnswer(write -> {
                    locks.lose("customer:42");
                    return null;
                })
                .given(customers)
                .write(any());

        assertThatThrownBy(() -> orders.place("42", BigDecimal.TEN)).isInstanceOf(LockLostException.class);
    }

    @Test
    void aFencedWriteCarriesTheTokenOfItsLock() {
        orders.placeFenced("42", BigDecimal.TEN);

        ArgumentCaptor<Customer> written = ArgumentCaptor.forClass(Customer.class);
        then(customers).should().writeFenced(written.capture());
        assertThat(locks.grants("OrderService.placeFenced"))
                .singleElement()
                .satisfies(
                        entry -> assertThat(written.getValue().fencingToken()).isEqualTo(entry.fencingToken()));
    }
}
