package io.dynamolock.sample.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;

import io.dynamolock.DynamoLocks;
import io.dynamolock.LockClosedException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.store.memory.InMemoryLockStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import software.amazon.awssdk.core.exception.SdkClientException;

/** What a client reads when an order could not be taken. */
@WebMvcTest(CustomerController.class)
class FailedOrdersTest {

    private final LockRegistry locks =
            DynamoLocks.builder(new InMemoryLockStore()).build();

    @Autowired
    private MockMvcTester http;

    @MockitoBean
    private OrderService orders;

    @MockitoBean
    private CustomerTable customers;

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void aBusyCustomerIsUnavailableAndTheAnswerSaysWhoHoldsTheLock() {
        try (LockHandle held = locks.acquire("customer:42", Duration.ZERO)) {
            LockTimeoutException busy =
                    catchThrowableOfType(LockTimeoutException.class, () -> locks.acquire(held.key(), Duration.ZERO));

            assertThat(orderThatFailsWith(busy))
                    .hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
                    .hasContentType(MediaType.APPLICATION_PROBLEM_JSON)
                    .bodyJson()
                    .extractingPath("$.detail")
                    .asString()
                    .contains("customer:42", "Nothing was written");
        }
    }

    @Test
    void aLostLockLeavesTheClientToLook() {
        try (LockHandle held = locks.acquire("customer:42", Duration.ZERO)) {
            locks.close();
            LockLostException lost = catchThrowableOfType(LockLostException.class, held::ensureValid);

            assertThat(orderThatFailsWith(lost))
                    .hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
                    .bodyJson()
                    .extractingPath("$.detail")
                    .asString()
                    .contains("Look at the customer");
        }
    }

    @Test
    void aServiceThatStopsIsUnavailable() {
        locks.close();
        LockClosedException closed =
                catchThrowableOfType(LockClosedException.class, () -> locks.acquire("customer:42", Duration.ZERO));

        assertThat(orderThatFailsWith(closed)).hasStatus(HttpStatus.SERVICE_UNAVAILABLE);
    }

    @Test
    void aLateWriteIsAConflict() {
        assertThat(orderThatFailsWith(new StaleWriteException("42", 7, new IllegalStateException())))
                .hasStatus(HttpStatus.CONFLICT)
                .bodyJson()
                .extractingPath("$.detail")
                .asString()
                .contains("42", "7");
    }

    @Test
    void aSilentDynamoDbIsUnavailable() {
        assertThat(orderThatFailsWith(SdkClientException.create("connection refused")))
                .hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
                .bodyJson()
                .extractingPath("$.title")
                .asString()
                .contains("DynamoDB");
    }

    private MvcTestResult orderThatFailsWith(RuntimeException failure) {
        given(orders.place(any(), any())).willThrow(failure);
        return http.post()
                .uri("/customers/42/orders")
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"amount\": 12.5}")
                .exchange();
    }
}
