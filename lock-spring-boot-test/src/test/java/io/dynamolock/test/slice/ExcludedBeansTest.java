package io.dynamolock.test.slice;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.test.DynamoLockTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.stereotype.Component;

@DynamoLockTest(
        includeFilters = @Filter(Component.class),
        excludeFilters = {
            @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Orders.class),
            @Filter(type = FilterType.REGEX, pattern = ".*\\.Shelf")
        })
class ExcludedBeansTest {

    @Test
    void beansThatFiltersExcludeAreLeftOut(@Autowired ApplicationContext context) {
        assertThat(context.getBeansOfType(Orders.class)).isEmpty();
        assertThat(context.getBeansOfType(Shelf.class)).isEmpty();
    }
}
