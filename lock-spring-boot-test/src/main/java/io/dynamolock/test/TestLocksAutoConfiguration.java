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

/** Puts the starter's registry on {@link TestLocks}, in tests that ask for it. */
@AutoConfiguration(after = {DynamoLockAutoConfiguration.class, DynamoLockAspectAutoConfiguration.class})
public final class TestLocksAutoConfiguration {

    TestLocksAutoConfiguration() {}

    @Bean
    TestLocks testLocks() {
        return new TestLocks();
    }

    /** The registry depends on the {@link TestLocks} by this customizer, and so is closed before them. */
    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    LockRegistryBuilderCustomizer testLocksCustomizer(TestLocks testLocks) {
        return testLocks::attachTo;
    }

    /** Is made before nearly all other beans, and so must not need one of them at once. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnBean(DynamoLockedAdvisor.class)
    static MethodEntryAdvisor testLocksMethodEntryAdvisor(
            ObjectProvider<TestLocks> testLocks, DynamoLockedAdvisor locked) {
        return new MethodEntryAdvisor(() -> testLocks.getObject().methods(), locked.getPointcut());
    }
}
