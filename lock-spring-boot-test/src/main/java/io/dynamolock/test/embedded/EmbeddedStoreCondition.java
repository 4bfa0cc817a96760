package io.dynamolock.test.embedded;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches with {@code dynamolock.store=embedded}, in every notation that the starter accepts. */
final class EmbeddedStoreCondition extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        String store = Binder.get(context.getEnvironment())
                .bind("dynamolock.store", String.class)
                .orElse("");
        // As Spring Boot converts a text to an enum constant: case and separators do not matter.
        boolean embedded = store.replaceAll("[^\\p{L}\\p{N}]", "").equalsIgnoreCase("embedded");
        return new ConditionOutcome(
                embedded,
                ConditionMessage.forCondition("Embedded store")
                        .found("dynamolock.store")
                        .items(store));
    }
}
