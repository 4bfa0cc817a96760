package io.dynamolock.spring.aspect;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.annotation.PersistenceContextCheck;
import io.dynamolock.spring.annotation.ReleaseTime;
import io.dynamolock.spring.internal.declarations.LockDurations;
import io.dynamolock.spring.internal.registry.LockRegistryConfiguration;
import io.dynamolock.spring.internal.retries.RetryUnderLock;
import io.dynamolock.spring.leaders.DynamoLeaders;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportAware;
import org.springframework.context.annotation.Role;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotationMetadata;

/** The beans that {@link EnableDynamoLocks} sets up. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@Import({LockRegistryConfiguration.class, DynamoLockedAdvisorConfiguration.class})
class DynamoLocksConfiguration implements ImportAware {

    /** The annotation that has imported this class. Set once, before any bean is made. */
    private MergedAnnotation<EnableDynamoLocks> settings = MergedAnnotation.missing();

    @Override
    public void setImportMetadata(AnnotationMetadata importer) {
        settings = importer.getAnnotations().get(EnableDynamoLocks.class);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    DynamoLockedAdvisor dynamoLockedAdvisor(ConfigurableBeanFactory beans, ObjectProvider<LockRegistry> registry) {
        String wait = settings.getString("waitTime");
        DynamoLockedAdvisor advisor = new DynamoLockedAdvisor(beans, registry::getObject, () -> parsed(wait, beans));
        advisor.setOrder(settings.getInt("order"));
        advisor.setRelease(settings.getEnum("release", ReleaseTime.class));
        advisor.setPersistenceContext(settings.getEnum("persistenceContext", PersistenceContextCheck.class));
        advisor.setMode(settings.getEnum("mode", AdviceMode.class));
        return advisor;
    }

    /**
     * Parses the wait. Called only when it is needed, because placeholders cannot be resolved yet when the advisor is
     * made.
     */
    private static Duration parsed(String wait, ConfigurableBeanFactory beans) {
        try {
            return LockDurations.parse(String.valueOf(beans.resolveEmbeddedValue(wait)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("@EnableDynamoLocks: the waitTime " + e.getMessage());
        }
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RetryUnderLock dynamoLockRetryUnderLock() {
        return new RetryUnderLock();
    }

    @Bean
    static DynamoLeaders dynamoLeaders(ConfigurableListableBeanFactory beans, ObjectProvider<LockRegistry> registry) {
        return new DynamoLeaders(beans, registry::getObject);
    }
}
