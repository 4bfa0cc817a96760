package io.dynamolock.sample.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;

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
import org.springframework.http.MediaType;
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
    void aBusyCustomerIsUnavailableAndTheAnswerSaysWhoHoldsTheLock() {
        locks.timeOut("customer:42");

        assertThat(order())
                .hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
                .hasContentType(MediaType.APPLICATION_PROBLEM_JSON)
                .hasHeader(HttpHeaders.RETRY_AFTER, "5")
                .bodyJson()
                .extractingPath("$.detail")
                .asString()
                .contains("another process", "Nothing was written");
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

        assertThat(order())
                .hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
                .hasContentType(MediaType.APPLICATION_PROBLEM_JSON)
                .doesNotContainHeader(HttpHeaders.RETRY_AFTER)
                .bodyJson()
                .extractingPath("$.detail")
                .asString()
                .contains("Look at the customer before ordering again");
    }

    private MvcTestResult order() {
        return http.post()
                .uri("/customers/42/orders")
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"amount\": 12.5}")
                .exchange();
    }
}
