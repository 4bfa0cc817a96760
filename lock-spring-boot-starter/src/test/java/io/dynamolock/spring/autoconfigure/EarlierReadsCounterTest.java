package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.internal.persistence.EarlierReadsListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class EarlierReadsCounterTest {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final EarlierReadsCounter reads = new EarlierReadsCounter(meters);

    @Test
    void countsLocksOnThreadsThatHaveReadBeforeAndTheCounterIsThereFromTheStart() {
        reads.register("orders");
        Counter counter = meters.get("dynamolock.persistence.context")
                .tag("name", "orders")
                .counter();
        assertThat(counter.count()).isZero();
        reads.mayHaveRead("orders");
        assertThat(counter.count()).isEqualTo(1);
    }

    /** {@code BoxOfficeTest} shows that it hears of reads. */
    @Test
    void theAspectFindsItAsTheOnlyBeanThatListens() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DynamoLockAutoConfiguration.class, DynamoLockMicrometerAutoConfiguration.class))
                .withPropertyValues("dynamolock.store=memory")
                .withBean(SimpleMeterRegistry.class)
                .run(context -> assertThat(context).hasSingleBean(EarlierReadsListener.class));
    }
}
