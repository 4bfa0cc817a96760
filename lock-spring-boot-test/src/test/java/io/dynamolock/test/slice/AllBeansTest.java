package io.dynamolock.test.slice;

import io.dynamolock.test.DynamoLockTest;
import io.dynamolock.test.TestLocks;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

@DynamoLockTest(useDefaultFilters = false)
@MockitoBean(types = Shelf.class)
class AllBeansTest {

    @Test
    void withoutDefaultFiltersNoBeanIsLeftOut(@Autowired Orders orders, @Autowired TestLocks locks) {
        orders.place("1");

        locks.assertEnteredUnderLock(Orders.class, "place", "order:1");
    }
}
