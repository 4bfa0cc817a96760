package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockMessages;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Shows or hides keys in messages, before the first lock is taken, whoever makes the registry. */
@Configuration(proxyBeanMethods = false)
class MessagesConfiguration {

    @Bean
    static BeanFactoryPostProcessor dynamoLockMessages(Environment environment) {
        return beans -> LockMessages.showKeys(Binder.get(environment)
                .bind("dynamolock.messages.show-keys", Boolean.class)
                .orElse(true));
    }
}
