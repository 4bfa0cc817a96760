package io.dynamolock.sample.orders;

import static io.dynamolock.sample.Requests.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;

import io.dynamolock.sample.Requests;
import io.dynamolock.sample.SampleProperties;
import io.dynamolock.test.AutoConfigureDynamoLock;
import io.dynamolock.test.AutoConfigureTestLocks;
import io.dynamolock.test.TestLocks;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

/** Locks in another slice: what a client reads when its customer is busy, or the lock was lost. */
@WebMvcTest(CustomerController.class)
@AutoConfigureDynamoLock
@AutoConfigureTestLocks
@Import(OrderService.class)
@EnableConfigurationProperties(SampleProperties.class)
@MockitoBean(types = LockingReadOrderService.class)
class BusyCustomerTest {

    @Autowired
    private MockMvcTester http;

    @Autowired
    private TestLocks locks;

    @MockitoBean
    private CustomerTable customers;

    @Test
    void aBusyCustomerIsUnavailableAndTheAnswerNamesNoKeyAndNoProcess() {
        locks.timeOut("customer:42");

        MvcTestResult answer = order();

        assertThat(answer).hasHeader(HttpHeaders.RETRY_AFTER, "5");
        assertRefused(answer, HttpStatus.SERVICE_UNAVAILABLE)
                .contains("Nothing was written")
                .doesNotContain("another process", "customer:42");
    }

    @Test
    void anOrderThatLosesItsLockIsNotToBeRepeatedBlindly() {
        given(customers.read("42")).willReturn(Customer.withoutOrders("42"));
        willAnswer(writing -> {
                    locks.lose("customer:42");
                    return null;
                })
                .given(customers)
                .write(any());

        MvcTestResult answer = order();

        assertThat(answer).doesNotContainHeader(HttpHeaders.RETRY_AFTER);
        assertRefused(answer, HttpStatus.SERVICE_UNAVAILABLE).contains("Look at the customer before ordering again");
    }

    private MvcTestResult order() {
        return Requests.post(http, "/customers/42/orders", "{\"amount\": 12.5}");
    }
}
