package io.dynamolock.spring.autoconfigure;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers Spring's proxy creator, which applies the aspect, as {@code @Transactional} does: with {@code
 * spring.aop.auto=false} there would be no proxies, and no locks. Changes nothing where Spring's proxy creator is
 * already there.
 */
record AutoProxyRegistrar(Environment environment) implements ImportBeanDefinitionRegistrar {

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importer, BeanDefinitionRegistry registry) {
        boolean isNew = !registry.containsBeanDefinition(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME);
        AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        if (isNew && environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true)) {
            AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
        }
    }
}
