package io.dynamolock.consumer.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockTimeoutException;
import io.dynamolock.test.DynamoLockTest;
import io.dynamolock.test.TestLocks;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;

@DynamoLockTest(includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Orders.class))
class SliceTest {

    @Autowired
    private Orders orders;

    @Autowired
    private TestLocks locks;

    @Autowired
    private ApplicationContext context;

    @Test
    void aSliceHasTheLocksAndTheBeansThatItAskedForAndNoOthers() {
        assertThat(orders.place("1")).isTrue();
        locks.assertEnteredUnderLock(Orders.class, "place", "customer:1");
        assertThat(context.getBeansOfType(Jobs.class)).isEmpty();
        assertThat(context.getBeansOfType(DataSource.class)).isEmpty();
    }

    @Test
    void aSliceDirectsItsLocks() {
        locks.timeOut("customer:2");
        assertThatThrownBy(() -> orders.place("2")).isInstanceOf(LockTimeoutException.class);
    }
}
