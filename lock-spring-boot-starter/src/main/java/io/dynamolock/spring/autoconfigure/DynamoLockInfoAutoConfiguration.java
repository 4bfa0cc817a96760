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
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", matchIfMissing = true)
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
        // Of a registry of the application's, another client than that of the properties is used.
        LockClient ofStarter = beans.containsBean("dynamoLockTable") ? client.getIfUnique() : null;
        String version = LockRegistry.class.getPackage().getImplementationVersion();
        return info -> {
            Map<String, Object> details = new LinkedHashMap<>();
            locks.admin().table().ifPresent(table -> details.put("table", table.name()));
            if (ofStarter != null) {
                details.put("place", ofStarter.place());
                details.put("keyPrefix", properties.keyPrefix());
                details.put("lease", properties.lease().toString());
            }
            locks.admin().session().ifPresent(session -> details.put("owner", session.owner()));
            if (version != null) {
                details.put("version", version);
            }
            info.withDetail("dynamolock", details);
        };
    }
}
