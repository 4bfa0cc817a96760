package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.autoconfigure.DynamoLockProperties.StoreType;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Who says where the DynamoDB of the locks is. The first one that says anything is asked. Makes no bean. */
enum LockClientSource {
    BEAN_FOR_LOCKS("a client bean of the application that is named for the locks"),
    EMBEDDED("dynamolock.store=embedded"),
    CONNECTION_DETAILS("a DynamoLockConnectionDetails bean"),
    PROPERTIES("dynamolock.aws.*"),
    SPRING_CLOUD_AWS("the endpoint of Spring Cloud AWS"),
    BEAN_OF_APPLICATION("the application's only client or its primary one"),
    SDK("what the AWS SDK finds by itself, because nothing else says where");

    private final String description;

    LockClientSource(String description) {
        this.description = description;
    }

    String description() {
        return description;
    }

    static LockClientSource of(ConfigurableListableBeanFactory beans, Environment environment) {
        if (clients(beans).stream()
                .anyMatch(name -> BeanFactoryAnnotationUtils.isQualifierMatch(LockClient.NAME::equals, name, beans))) {
            return BEAN_FOR_LOCKS;
        } else if (StoreCondition.storeOf(environment) == StoreType.EMBEDDED) {
            return EMBEDDED;
        } else if (!names(beans, DynamoLockConnectionDetails.class).isEmpty()) {
            return CONNECTION_DETAILS;
        } else if (StringUtils.hasText(environment.getProperty("dynamolock.aws.region"))
                || StringUtils.hasText(environment.getProperty("dynamolock.aws.endpoint"))) {
            return PROPERTIES;
        } else if (SpringCloudAws.of(environment).endpoint() != null) {
            return SPRING_CLOUD_AWS;
        }
        boolean hasClient = clients(beans).stream().anyMatch(name -> isForAnybody(beans, name));
        return hasClient ? BEAN_OF_APPLICATION : SDK;
    }

    private static List<String> clients(ConfigurableListableBeanFactory beans) {
        return Stream.of(DynamoDbClient.class, DynamoDbAsyncClient.class)
                .flatMap(type -> names(beans, type).stream())
                .filter(name -> !name.equals(LockClient.OWN))
                .toList();
    }

    private static List<String> names(ConfigurableListableBeanFactory beans, Class<?> type) {
        return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false));
    }

    /** Whether an injection point without a qualifier may get it. */
    private static boolean isForAnybody(ConfigurableListableBeanFactory beans, String name) {
        if (!beans.containsBeanDefinition(name)) {
            return true;
        }
        BeanDefinition definition = beans.getMergedBeanDefinition(name);
        return definition.isAutowireCandidate()
                && !(definition instanceof AbstractBeanDefinition any && !any.isDefaultCandidate());
    }

    /** Only if the starter builds the client. */
    static final class IsOwn implements ConfigurationCondition {

        @Override
        public ConfigurationPhase getConfigurationPhase() {
            return ConfigurationPhase.REGISTER_BEAN;
        }

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            LockClientSource source = of(Objects.requireNonNull(context.getBeanFactory()), context.getEnvironment());
            return source != BEAN_FOR_LOCKS && source != BEAN_OF_APPLICATION;
        }
    }
}
