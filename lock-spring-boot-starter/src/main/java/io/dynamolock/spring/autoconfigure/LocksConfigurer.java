package io.dynamolock.spring.autoconfigure;

import static java.util.Map.entry;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.LockRegistryBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Applies the properties to a builder, and then the application's customizers. */
@Lazy
record LocksConfigurer(
        DynamoLockProperties properties,
        Environment environment,
        ObjectProvider<LockRegistryBuilderCustomizer> customizers) {

    private static final Duration LONGEST_POLL = Duration.ofMillis(250);

    /**
     * The property of each setting that a builder may refuse. Two kinds of settings are missing here: settings without
     * a property, which only a customizer can change, and settings whose property is checked earlier, such as {@code
     * dynamolock.wait}.
     */
    private static final Map<String, String> PROPERTIES = Map.ofEntries(
            entry("stay", "dynamolock.stay"),
            entry("owner", "dynamolock.owner"),
            entry("keyPrefix", "dynamolock.key-prefix"),
            entry("lease", "dynamolock.lease"),
            entry("callTimeout", "dynamolock.call-timeout"),
            entry("maxQueue", "dynamolock.max-queue"),
            entry("retention", "dynamolock.retention"),
            entry("pollInterval.min", "dynamolock.poll.min"),
            entry("tableName", "dynamolock.table.name"),
            entry("partitionKeyAttribute", "dynamolock.table.partition-key-attribute"),
            entry("sortKeyAttribute", "dynamolock.table.sort-key-attribute"),
            entry("ttlAttribute", "dynamolock.table.ttl-attribute"),
            entry("formatAttribute", "dynamolock.table.format-attribute"),
            entry("application", "spring.application.name"));

    /** @throws InvalidSetUpException if the builder refuses the settings */
    <T> T build(LockRegistryBuilder builder, Function<LockRegistryBuilder, T> build) {
        try {
            configure(builder);
            return build.apply(builder);
        } catch (InvalidSettingException refusal) {
            String change = refusal.settings().stream()
                    .map(setting -> PROPERTIES.getOrDefault(setting, "the builder's " + setting))
                    .collect(Collectors.joining(" or "));
            throw new InvalidSetUpException(
                    "The settings of DynamoLock do not work. " + refusal.getMessage(), "Change " + change + ".");
        }
    }

    private void configure(LockRegistryBuilder builder) {
        DynamoLockProperties.Table table = properties.table();
        builder.wait(properties.parsedWait())
                .stay(properties.stay())
                .keyPrefix(properties.keyPrefix())
                .lease(properties.lease())
                .maxQueue(properties.maxQueue())
                .retention(properties.retention())
                .tableName(table.name())
                .singleRegion(table.singleRegion())
                .partitionKeyAttribute(table.partitionKeyAttribute())
                .sortKeyAttribute(table.sortKeyAttribute())
                .ttlAttribute(table.ttlAttribute())
                .formatAttribute(table.formatAttribute());
        // Without Spring Boot's PropertyMapper, which passes nulls on in version 3 and leaves them out in version 4.
        Optional.ofNullable(properties.awaitRelease()).ifPresent(builder::awaitRelease);
        Optional.ofNullable(properties.callTimeout()).ifPresent(builder::callTimeout);
        Optional.ofNullable(properties.owner()).ifPresent(builder::owner);
        Optional.ofNullable(environment.getProperty("spring.application.name"))
                .filter(StringUtils::hasText)
                .ifPresent(builder::application);
        // The longest interval is 250 ms, or the lease if that is shorter, but never less than the shortest interval.
        Duration shortest = properties.poll().min();
        Duration longest = properties.lease().compareTo(LONGEST_POLL) < 0 ? properties.lease() : LONGEST_POLL;
        builder.pollInterval(shortest, shortest.compareTo(longest) > 0 ? shortest : longest);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    }
}
