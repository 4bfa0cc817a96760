package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistryBuilder;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.core.env.Environment;

/** Carries the properties over to a builder, and has the application change what it likes. */
final class LocksConfigurer {

    private static final Duration LONGEST_DEFAULT_POLL = Duration.ofSeconds(1);

    private final DynamoLockProperties properties;
    private final Environment environment;
    private final ObjectProvider<DynamoLocksBuilderCustomizer> customizers;

    LocksConfigurer(
            DynamoLockProperties properties,
            Environment environment,
            ObjectProvider<DynamoLocksBuilderCustomizer> customizers) {
        this.properties = properties;
        this.environment = environment;
        this.customizers = customizers;
    }

    /** @return the same builder */
    LockRegistryBuilder configure(LockRegistryBuilder builder) {
        builder.keyPrefix(properties.keyPrefix())
                .lease(properties.lease())
                .lockDelay(properties.lockDelay())
                .maxClockSkew(properties.maxClockSkew())
                .maxCallsInFlight(properties.maxCallsInFlight())
                .maxQueue(properties.maxQueue())
                .retention(properties.retention())
                .tableName(properties.table().name())
                .singleRegion(properties.table().singleRegion())
                .partitionKeyAttribute(properties.table().partitionKeyAttribute())
                .sortKeyAttribute(properties.table().sortKeyAttribute())
                .ttlAttribute(properties.table().ttlAttribute())
                .dataAttribute(properties.table().dataAttribute());
        PropertyMapper map = PropertyMapper.get();
        map.from(properties.heartbeat()).to(builder::heartbeat);
        map.from(properties.driftMargin()).to(builder::driftMargin);
        map.from(properties.callTimeout()).to(builder::callTimeout);
        map.from(properties.owner()).to(builder::owner);
        String application = environment.getProperty("spring.application.name", "");
        if (!application.isBlank()) {
            builder.application(application);
        }
        builder.pollInterval(properties.poll().min(), longestPoll());
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder;
    }

    /** As the builder would choose it, and never shorter than the shortest. */
    private Duration longestPoll() {
        DynamoLockProperties.Poll poll = properties.poll();
        if (poll.max() != null) {
            return poll.max();
        }
        Duration usual =
                LONGEST_DEFAULT_POLL.compareTo(properties.lease()) < 0 ? LONGEST_DEFAULT_POLL : properties.lease();
        return poll.min().compareTo(usual) > 0 ? poll.min() : usual;
    }
}
