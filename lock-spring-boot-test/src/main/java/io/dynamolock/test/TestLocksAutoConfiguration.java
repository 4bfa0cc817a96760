package io.dynamolock.test;

import io.dynamolock.spring.aspect.DynamoLockedAdvisor;
import io.dynamolock.spring.autoconfigure.DynamoLockAspectAutoConfiguration;
import io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration;
import io.dynamolock.spring.autoconfigure.LockRegistryBuilderCustomizer;
import io.dynamolock.test.internal.MethodEntryAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Lets {@link TestLocks} direct the starter's registry, in tests with {@link AutoConfigureTestLocks}. */
@AutoConfiguration(after = {DynamoLockAutoConfiguration.class, DynamoLockAspectAutoConfiguration.class})
public final class TestLocksAutoConfiguration {

    TestLocksAutoConfiguration() {}

    @Bean
    TestLocks testLocks() {
        return new TestLocks();
    }

    /** Through this customizer, the registry depends on the {@link TestLocks} bean, so the registry is closed first. */
    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    LockRegistryBuilderCustomizer testLocksCustomizer(TestLocks testLocks) {
        return testLocks::attachTo;
    }

    /** This bean is created before nearly all other beans, and must not cause their creation. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnBean(DynamoLockedAdvisor.class)
    static MethodEntryAdvisor testLocksMethodEntryAdvisor(
            ObjectProvider<TestLocks> testLocks, DynamoLockedAdvisor locked) {
        return new MethodEntryAdvisor(() -> testLocks.getObject().methods(), locked.getPointcut());
    }
}
