package io.dynamolock.spring.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Names the properties behind the settings that a builder refused. */
final class InvalidLockSettingsFailureAnalyzer extends AbstractFailureAnalyzer<InvalidLockSettingsException> {

    private static final Map<String, String> PROPERTIES = new LinkedHashMap<>();

    static {
        PROPERTIES.put("heartbeat", "dynamo-lock.heartbeat");
        PROPERTIES.put("callTimeout", "dynamo-lock.call-timeout");
        PROPERTIES.put("driftMargin", "dynamo-lock.drift-margin");
        PROPERTIES.put("lockDelay", "dynamo-lock.lock-delay");
        PROPERTIES.put("maxClockSkew", "dynamo-lock.max-clock-skew");
        PROPERTIES.put("maxCallsInFlight", "dynamo-lock.max-calls-in-flight");
        PROPERTIES.put("maxQueue", "dynamo-lock.max-queue");
        PROPERTIES.put("retention", "dynamo-lock.retention");
        PROPERTIES.put("lease", "dynamo-lock.lease");
        PROPERTIES.put("pollInterval's min", "dynamo-lock.poll.min");
        PROPERTIES.put("pollInterval's max", "dynamo-lock.poll.max");
        PROPERTIES.put("The owner", "dynamo-lock.owner");
        PROPERTIES.put("key prefix", "dynamo-lock.key-prefix");
        PROPERTIES.put("table name", "dynamo-lock.table.name");
        PROPERTIES.put("attribute name", "dynamo-lock.table.*-attribute");
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, InvalidLockSettingsException cause) {
        String message = String.valueOf(cause.getMessage());
        String lowerCase = message.toLowerCase(Locale.ROOT);
        List<String> properties = PROPERTIES.entrySet().stream()
                .filter(entry -> lowerCase.contains(entry.getKey().toLowerCase(Locale.ROOT)))
                .map(Map.Entry::getValue)
                .toList();
        String action = properties.isEmpty()
                ? "Change the dynamo-lock.* properties."
                : "Change " + String.join(" or ", properties) + ".";
        return new FailureAnalysis("The settings of DynamoLock do not work. " + message, action, cause);
    }
}
