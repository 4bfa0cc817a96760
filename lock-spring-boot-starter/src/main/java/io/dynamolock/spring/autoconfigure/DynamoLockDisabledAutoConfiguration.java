package io.dynamolock.spring.autoconfigure;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;

/** Logs that nothing is locked, because there is no registry. */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", havingValue = false)
public final class DynamoLockDisabledAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(DynamoLockDisabledAutoConfiguration.class);

    DynamoLockDisabledAutoConfiguration() {
        LOG.warn(
                "dynamolock.enabled=false: methods with @DynamoLocked run without a lock, and those woven by AspectJ fail"
                        + " unless WovenLocks.use(registry) is called");
    }
}
