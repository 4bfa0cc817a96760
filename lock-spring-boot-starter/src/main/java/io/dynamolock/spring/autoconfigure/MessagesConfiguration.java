package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockMessages;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Shows or hides keys in messages, before the first lock is taken, whoever makes the registry. The setting is the
 * process's, so a context without the property leaves it as it is, and the end of a context does not undo it: another
 * context may need it, and messages are made until the last thread of the closed context has ended.
 */
@Configuration(proxyBeanMethods = false)
class MessagesConfiguration {

    @Bean
    static BeanFactoryPostProcessor dynamoLockMessages(Environment environment) {
        return beans -> Binder.get(environment)
                .bind("dynamolock.messages.show-keys", Boolean.class)
                .ifBound(LockMessages::showKeys);
    }
}
