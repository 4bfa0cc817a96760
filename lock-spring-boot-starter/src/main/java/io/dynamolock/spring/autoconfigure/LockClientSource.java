package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.autoconfigure.DynamoLockProperties.StoreType;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Who says where the DynamoDB of the locks is. The first one that says anything is asked. */
enum LockClientSource {
    BEAN_FOR_LOCKS("a client bean of the application that is named for the locks"),
    EMBEDDED("dynamo-lock.store=embedded"),
    CONNECTION_DETAILS("a DynamoLockConnectionDetails bean"),
    PROPERTIES("dynamo-lock.aws.*"),
    SPRING_CLOUD_AWS("the endpoint of Spring Cloud AWS"),
    BEAN_OF_APPLICATION("the only client bean of the application"),
    SDK("what the AWS SDK finds by itself, because nothing else says where");

    private final String description;

    LockClientSource(String description) {
        this.description = description;
    }

    String description() {
        return description;
    }

    /** Whether the starter builds the client. */
    boolean isBuiltHere() {
        return this != BEAN_FOR_LOCKS && this != BEAN_OF_APPLICATION;
    }

    /** Makes no bean. */
    static LockClientSource of(ConfigurableListableBeanFactory beans, Environment environment) {
        if (!ClientBeans.forLocks(beans, DynamoDbClient.class).isEmpty()
                || !ClientBeans.forLocks(beans, DynamoDbAsyncClient.class).isEmpty()) {
            return BEAN_FOR_LOCKS;
        }
        if (StoreCondition.storeOf(environment) == StoreType.EMBEDDED) {
            return EMBEDDED;
        }
        if (BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DynamoLockConnectionDetails.class, true, false)
                        .length
                > 0) {
            return CONNECTION_DETAILS;
        }
        if (areSet(environment)) {
            return PROPERTIES;
        }
        if (SpringCloudAws.namesAnEndpoint(beans, environment)) {
            return SPRING_CLOUD_AWS;
        }
        return ClientBeans.ofApplication(beans, DynamoDbClient.class).isEmpty()
                        && ClientBeans.ofApplication(beans, DynamoDbAsyncClient.class)
                                .isEmpty()
                ? SDK
                : BEAN_OF_APPLICATION;
    }

    /** What is set to nothing, as by ${AWS_REGION:}, is not set. The other properties say nothing alone. */
    private static boolean areSet(Environment environment) {
        Binder binder = Binder.get(environment);
        return Stream.of("region", "endpoint", "access-key-id", "profile")
                .anyMatch(name -> binder.bind("dynamo-lock.aws." + name, String.class)
                        .map(StringUtils::hasText)
                        .orElse(false));
    }
}
