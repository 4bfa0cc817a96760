package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.autoconfigure.DynamoLockProperties.StoreType;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Reads {@code dynamolock.store} as {@link DynamoLockProperties} does, in every notation and with the same default.
 * With a comparison of texts, one that binds but does not match ({@code dynamo-db}, or an empty one) would leave the
 * application without a registry, and its annotated methods without locks.
 */
final class StoreCondition {

    private StoreCondition() {}

    static StoreType storeOf(Environment environment) {
        return Binder.get(environment).bind("dynamolock.store", StoreType.class).orElse(StoreType.DYNAMODB);
    }

    /** Only if locks live in the memory of this process. */
    static final class InMemory implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return storeOf(context.getEnvironment()) == StoreType.MEMORY;
        }
    }

    /** Only if they live in a table. */
    static final class InTable implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return storeOf(context.getEnvironment()) != StoreType.MEMORY;
        }
    }
}
