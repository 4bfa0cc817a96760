package io.dynamolock.spring.autoconfigure;

import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Names the properties behind the settings that a builder refused. */
final class InvalidLockSettingsFailureAnalyzer extends AbstractFailureAnalyzer<InvalidLockSettingsException> {

    /** Where the property does not have the name of the builder's method. */
    private static final Map<String, String> PROPERTIES = Map.of(
            "pollInterval.min", "dynamo-lock.poll.min",
            "pollInterval.max", "dynamo-lock.poll.max",
            "tableName", "dynamo-lock.table.name",
            "partitionKeyAttribute", "dynamo-lock.table.partition-key-attribute",
            "sortKeyAttribute", "dynamo-lock.table.sort-key-attribute",
            "ttlAttribute", "dynamo-lock.table.ttl-attribute",
            "application", "spring.application.name");

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, InvalidLockSettingsException cause) {
        String properties = cause.settings().stream()
                .map(setting ->
                        PROPERTIES.getOrDefault(setting, KnownProperties.PREFIX + KnownProperties.dashed(setting)))
                .collect(Collectors.joining(" or "));
        return new FailureAnalysis(
                "The settings of DynamoLock do not work. " + cause.getMessage(), "Change " + properties + ".", cause);
    }
}
