package io.dynamolock.spring.aspect;

import io.dynamolock.LockRegistry;
import java.time.Duration;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** The aspect on a registry of the test's choice, without an application. */
public final class LockedProxy {

    private LockedProxy() {}

    @SuppressWarnings("unchecked")
    public static <T> T of(T target, LockRegistry registry) {
        ProxyFactory factory = new ProxyFactory(target);
        factory.setProxyTargetClass(true);
        factory.addAdvisor(new DynamoLockedAdvisor(
                new DefaultListableBeanFactory(), () -> registry, () -> Duration.ofMinutes(10)));
        return (T) factory.getProxy();
    }
}
