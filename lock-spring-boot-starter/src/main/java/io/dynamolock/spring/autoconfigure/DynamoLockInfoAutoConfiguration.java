package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.autoconfigure.info.InfoContributorFallback;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The info of locks, when the application has Spring Boot's Actuator and wants it. */
@AutoConfiguration(after = DynamoLockAutoConfiguration.class)
@ConditionalOnClass({InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
@ConditionalOnBooleanProperty(name = "dynamo-lock.enabled", matchIfMissing = true)
@ConditionalOnEnabledInfoContributor(value = "dynamolock", fallback = InfoContributorFallback.DISABLE)
@ConditionalOnSingleCandidate(LockRegistry.class)
@EnableConfigurationProperties(DynamoLockProperties.class)
public final class DynamoLockInfoAutoConfiguration {

    /** Costs no call. */
    @Bean
    @ConditionalOnMissingBean(name = "dynamoLockInfoContributor")
    InfoContributor dynamoLockInfoContributor(
            LockRegistry locks,
            DynamoLockProperties properties,
            ObjectProvider<LockClient> client,
            ListableBeanFactory beans) {
        Map<String, Object> details = new LinkedHashMap<>();
        locks.table().ifPresent(table -> details.put("table", table.name()));
        // Of a registry of the application's, another client than that of the properties is used.
        if (beans.containsBean("dynamoLockTable")) {
            client.ifUnique(known -> details.put("place", known.place()));
            details.put("lease", properties.lease().toString());
            if (!properties.keyPrefix().isEmpty()) {
                details.put("keyPrefix", properties.keyPrefix());
            }
        }
        String version = LockRegistry.class.getPackage().getImplementationVersion();
        if (version != null) {
            details.put("version", version);
        }
        return info -> {
            Map<String, Object> now = new LinkedHashMap<>(details);
            locks.session().ifPresent(session -> now.put("owner", session.owner()));
            info.withDetail("dynamoLock", now);
        };
    }
}
