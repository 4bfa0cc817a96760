package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.autoconfigure.DynamoLockProperties.StoreType;
import java.util.Arrays;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Reads {@code dynamo-lock.store} as {@link DynamoLockProperties} does, in every notation and with the same default.
 * With a comparison of texts, one that binds but does not match ({@code dynamo-db}, or an empty one) would leave the
 * application without a registry, and its annotated methods without locks.
 */
final class StoreCondition extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        StoreType[] wanted =
                metadata.getAnnotations().get(ConditionalOnStore.class).getEnumArray("value", StoreType.class);
        StoreType store = storeOf(context.getEnvironment());
        ConditionMessage message = ConditionMessage.forCondition(ConditionalOnStore.class, Arrays.toString(wanted))
                .found("store")
                .items(store);
        return new ConditionOutcome(Arrays.asList(wanted).contains(store), message);
    }

    static StoreType storeOf(Environment environment) {
        return Binder.get(environment)
                .bind("dynamo-lock.store", StoreType.class)
                .orElse(StoreType.DYNAMODB);
    }
}
