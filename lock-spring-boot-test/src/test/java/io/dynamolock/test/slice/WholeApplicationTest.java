package io.dynamolock.test.slice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockTimeoutException;
import io.dynamolock.test.AutoConfigureTestLocks;
import io.dynamolock.test.TestLocks;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** Although the application says another store. */
@SpringBootTest(properties = "dynamolock.store=dynamodb")
@AutoConfigureTestLocks
@Timeout(60)
@MockitoBean(types = Shelf.class)
class WholeApplicationTest {

    @Autowired
    private Orders orders;

    @Autowired
    private TestLocks locks;

    @Test
    void aBusyLockTimesOut() {
        locks.timeOut("order:1");

        assertThatThrownBy(() -> orders.place("1")).isInstanceOf(LockTimeoutException.class);
    }

    @RepeatedTest(2)
    void nothingLeaksFromOneTestToTheNext() {
        assertThat(locks.grants()).isEmpty();

        orders.place("1");
        locks.assertEnteredUnderLock(Orders.class, "place", "order:1");
        locks.refuseStore();
    }
}
