package io.dynamolock.sample.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.sample.SampleProperties;
import io.dynamolock.test.AutoConfigureDynamoLock;
import io.dynamolock.test.AutoConfigureTestLocks;
import io.dynamolock.test.TestLocks;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

/** Locks in another slice: what a client reads when its customer is busy. */
@WebMvcTest(CustomerController.class)
@AutoConfigureDynamoLock
@AutoConfigureTestLocks
@Import(OrderService.class)
@EnableConfigurationProperties(SampleProperties.class)
@MockitoBean(types = {CustomerTable.class, LockingReadOrderService.class})
class BusyCustomerTest {

    @Autowired
    private MockMvcTester http;

    @Autowired
    private TestLocks locks;

    @Test
    void aBusyCustomerIsUnavailableAndTheAnswerSaysWhoHoldsTheLock() {
        locks.timeOut("customer:42");

        assertThat(http.post()
                        .uri("/customers/42/orders")
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{\"amount\": 12.5}"))
                .hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
                .bodyJson()
                .extractingPath("$.detail")
                .asString()
                .contains("another process", "Nothing was written");
    }
}
