package io.dynamolock.spring.metrics;

import io.dynamolock.spring.DynamoLeaders;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/** Which elections this process leads. */
public final class LeaderGauges implements MeterBinder {

    private final DynamoLeaders leaders;

    /** @param leaders whose elections get a gauge each */
    public LeaderGauges(DynamoLeaders leaders) {
        this.leaders = leaders;
    }

    @Override
    public void bindTo(MeterRegistry meters) {
        for (String name : leaders.names()) {
            Gauge.builder("dynamo.lock.leader", leaders, all -> all.isLeader(name) ? 1 : 0)
                    .description("1 where this process leads, 0 where it waits")
                    .tags("name", name)
                    .register(meters);
        }
    }
}
