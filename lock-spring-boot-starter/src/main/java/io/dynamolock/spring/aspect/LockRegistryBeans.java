package io.dynamolock.spring.aspect;

import io.dynamolock.LockListener;
import io.dynamolock.LockObserver;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.DefaultLockRegistry;
import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The registries of one application context. Has the listeners and the observer of the context hear from each of them, but only when all
 * beans are there, because a listener may need the registry itself. Thread-safe.
 */
final class LockRegistryBeans implements BeanPostProcessor, SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<LockListener> listenerBeans;
    private final ObjectProvider<LockObserver> observerBean;
    private final List<LockRegistry> registries = new ArrayList<>();
    private final List<LockRegistry> toClose = new ArrayList<>();
    private @Nullable List<LockListener> listeners;
    private @Nullable LockObserver observer;

    LockRegistryBeans(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<LockListener> listenerBeans,
            ObjectProvider<LockObserver> observerBean) {
        this.beans = beans;
        this.listenerBeans = listenerBeans;
        this.observerBean = observerBean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof LockRegistry registry && beans.containsBeanDefinition(beanName)) {
            BeanDefinition definition = beans.getMergedBeanDefinition(beanName);
            if (definition.isSingleton()) {
                // As @Bean(destroyMethod = "") says that its maker closes it.
                add(registry, !"".equals(definition.getDestroyMethodName()));
            }
        }
        return bean;
    }

    private synchronized void add(LockRegistry registry, boolean isToBeClosed) {
        registries.add(registry);
        if (isToBeClosed) {
            toClose.add(registry);
        }
        if (listeners != null) {
            introduce(registry, listeners, observer);
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        refuseSeveral();
        List<LockListener> all = listenerBeans.orderedStream().toList();
        LockObserver only = observerBean.getIfUnique();
        synchronized (this) {
            listeners = all;
            observer = only;
            registries.forEach(registry -> introduce(registry, all, only));
        }
    }

    /** A registry that is not one of this library's has its own. */
    private static void introduce(
            LockRegistry registry, List<LockListener> listeners, @Nullable LockObserver observer) {
        // An aspect of the application may stand before it.
        if (AopProxyUtils.getSingletonTarget(registry) instanceof LockRegistry behind) {
            introduce(behind, listeners, observer);
        } else if (registry instanceof DefaultLockRegistry ours) {
            listeners.forEach(ours::addListener);
            if (observer != null) {
                ours.observe(observer);
            }
        }
    }

    /** With two registries and no choice between them, every locked method would fail when it is called. */
    private void refuseSeveral() {
        String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LockRegistry.class);
        if (beans.getBeanNamesForType(DynamoLockedAdvisor.class).length > 0
                && names.length > 1
                && beans.getBeanProvider(LockRegistry.class).getIfUnique() == null) {
            throw new InvalidDynamoLockedException(
                    "There are several LockRegistry beans, and @DynamoLocked does not know which to use: "
                            + String.join(", ", Arrays.stream(names).sorted().toList()) + ".",
                    "Make one of them @Primary, or the others no default candidates.");
        }
    }

    void close() {
        own().forEach(LockRegistry::close);
    }

    void pause() {
        own().forEach(registry -> registry.admin().pause());
    }

    void resume() {
        own().forEach(registry -> registry.admin().resume());
    }

    /** Those of which this context says when they end. */
    private synchronized List<LockRegistry> own() {
        return List.copyOf(toClose);
    }
}
