package io.dynamolock.spring.autoconfigure;

import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Only if the locks do not use a client of the application. */
final class OwnClientCondition extends SpringBootCondition implements ConfigurationCondition {

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        LockClientSource source =
                LockClientSource.of(Objects.requireNonNull(context.getBeanFactory()), context.getEnvironment());
        return new ConditionOutcome(
                source.isBuiltHere(),
                ConditionMessage.forCondition("Client of the locks").because("it comes from " + source.description()));
    }
}
