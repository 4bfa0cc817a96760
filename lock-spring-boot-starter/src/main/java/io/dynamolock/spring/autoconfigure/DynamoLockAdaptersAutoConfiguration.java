package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.integration.IntegrationLockRegistry;
import io.dynamolock.spring.integration.PlainIntegrationLockRegistry;
import io.dynamolock.spring.shedlock.DynamoLockProvider;
import java.util.LinkedHashMap;
import java.util.Map;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.autoconfigure.info.InfoContributorFallback;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/** Adapters of the locks for Spring Integration, ShedLock and the Actuator's info. Beans of the application win. */
@AutoConfiguration(after = {DynamoLockAutoConfiguration.class, DynamoLockDisabledAutoConfiguration.class})
@ConditionalOnSingleCandidate(LockRegistry.class)
public final class DynamoLockAdaptersAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DistributedLock.class)
    @ConditionalOnMissingBean(org.springframework.integration.support.locks.LockRegistry.class)
    static class ForSpringIntegration {

        @Bean
        IntegrationLockRegistry dynamoLockIntegrationRegistry(LockRegistry locks) {
            return new IntegrationLockRegistry(locks);
        }
    }

    /** Its locks have no time to live yet. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RenewableLockRegistry.class)
    @ConditionalOnMissingClass("org.springframework.integration.support.locks.DistributedLock")
    @ConditionalOnMissingBean(org.springframework.integration.support.locks.LockRegistry.class)
    static class ForSpringIntegration6 {

        @Bean
        PlainIntegrationLockRegistry dynamoLockIntegrationRegistry(LockRegistry locks) {
            return new PlainIntegrationLockRegistry(locks);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(LockProvider.class)
    @ConditionalOnMissingBean(LockProvider.class)
    static class ForShedLock {

        @Bean
        DynamoLockProvider dynamoLockProvider(LockRegistry locks) {
            return new DynamoLockProvider(locks);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
    @ConditionalOnEnabledInfoContributor(value = "dynamolock", fallback = InfoContributorFallback.DISABLE)
    static class ForInfo {

        /** Makes no call to DynamoDB. */
        @Bean
        @ConditionalOnMissingBean(name = "dynamoLockInfoContributor")
        InfoContributor dynamoLockInfoContributor(LockRegistry locks) {
            String version = LockRegistry.class.getPackage().getImplementationVersion();
            return info -> {
                Map<String, Object> details = new LinkedHashMap<>();
                locks.admin().table().ifPresent(table -> details.put("table", table.name()));
                if (version != null) {
                    details.put("version", version);
                }
                info.withDetail("dynamolock", details);
            };
        }
    }
}
