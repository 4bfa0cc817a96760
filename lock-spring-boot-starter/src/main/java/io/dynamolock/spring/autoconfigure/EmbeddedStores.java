package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.autoconfigure.DynamoLockProperties.StoreType;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;

/** Finds the DynamoDB inside this process, which is not part of this module, because production needs none. */
final class EmbeddedStores {

    private static final String MODULE = "io.dynamolock:lock-spring-boot-test";

    private EmbeddedStores() {}

    /**
     * @return null with another store
     * @throws InvalidSetUpException if the store is {@code embedded} and there is none
     */
    static @Nullable EmbeddedStore find(Environment environment, ObjectProvider<EmbeddedStore> beans) {
        if (StoreCondition.storeOf(environment) != StoreType.EMBEDDED) {
            return null;
        }
        EmbeddedStore found = beans.getIfAvailable();
        if (found == null) {
            throw new InvalidSetUpException(
                    "dynamo-lock.store=embedded starts a DynamoDB Local in this process, but the module " + MODULE
                            + ", which does that, is not on the class path, or its auto-configuration is excluded.",
                    "Add the dependency " + MODULE + " in the version of lock-spring-boot-starter, with the scope test,"
                            + " or with the scope runtime to run the application itself that way. Or set"
                            + " dynamo-lock.store to dynamodb or memory.");
        }
        return found;
    }
}
