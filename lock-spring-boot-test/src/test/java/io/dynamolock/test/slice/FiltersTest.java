package io.dynamolock.test.slice;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.test.DynamoLockTest;
import io.dynamolock.test.TestLocks;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

@DynamoLockTest(
        properties = "shop.name=corner",
        includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Orders.class),
        excludeAutoConfiguration = AopAutoConfiguration.class)
@MockitoBean(types = Shelf.class)
class FiltersTest {

    @Test
    void beansThatFiltersIncludeAreLookedFor(@Autowired Orders orders, @Autowired TestLocks locks) {
        orders.place("1");

        locks.assertEnteredUnderLock(Orders.class, "place", "order:1");
    }

    @Test
    void propertiesAndExclusionsOfTheTestAreHonoured(@Autowired ApplicationContext context) {
        assertThat(context.getEnvironment().getProperty("shop.name")).isEqualTo("corner");
        assertThat(context.getBeansOfType(AopAutoConfiguration.class)).isEmpty();
    }
}
