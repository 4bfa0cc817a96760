package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.PersistenceContextCheck;
import io.dynamolock.spring.aspect.DynamoLockedAdvisor;
import io.dynamolock.spring.aspect.DynamoLockedAdvisorConfiguration;
import io.dynamolock.spring.autoconfigure.DynamoLockProperties.Aspect;
import io.dynamolock.spring.internal.retries.RetryUnderLock;
import io.dynamolock.spring.leaders.DynamoLeaders;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** The aspect behind {@code @DynamoLocked}, and the elections behind {@code @DynamoLeader}. */
@AutoConfiguration(
        after = {
            AopAutoConfiguration.class,
            DynamoLockAutoConfiguration.class,
            DynamoLockDisabledAutoConfiguration.class
        })
@ConditionalOnBean(LockRegistry.class)
@EnableConfigurationProperties(DynamoLockProperties.class)
@Import({AutoProxyRegistrar.class, DynamoLockedAdvisorConfiguration.class})
public final class DynamoLockAspectAutoConfiguration {

    /**
     * Infrastructure, so that the advisor works with every auto-proxy creator. It is created before nearly all other
     * beans, and must not cause their creation. A child context has its own advisor, with the same name, which hides
     * the advisor of the parent: keys and placeholders refer to beans and properties of their own context.
     */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    static DynamoLockedAdvisor dynamoLockedAdvisor(
            ConfigurableBeanFactory beans,
            ObjectProvider<LockRegistry> registry,
            ObjectProvider<DynamoLockProperties> properties,
            Environment environment) {
        DynamoLockedAdvisor advisor = new DynamoLockedAdvisor(
                beans, registry::getObject, () -> properties.getObject().parsedWait());
        Aspect aspect = Binder.get(environment).bindOrCreate("dynamolock.aspect", Aspect.class);
        advisor.setOrder(aspect.order());
        advisor.setRelease(aspect.release());
        advisor.setPersistenceContext(Binder.get(environment)
                .bind("dynamolock.persistence-context", PersistenceContextCheck.class)
                .orElse(PersistenceContextCheck.WARN));
        advisor.setMode(aspect.mode());
        return advisor;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    static RetryUnderLock dynamoLockRetryUnderLock() {
        return new RetryUnderLock();
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    static DynamoLeaders dynamoLeaders(ConfigurableListableBeanFactory beans, ObjectProvider<LockRegistry> registry) {
        return new DynamoLeaders(beans, registry::getObject);
    }
}
