package io.dynamolock.spring.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.IgnoreErrorsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Refuses two mistakes at start that Spring Boot would accept without a word: a property with an unknown name, which
 * would have no effect, and a duration without a unit, which would mean milliseconds. Unknown environment variables are
 * accepted, because Kubernetes sets some for a service named dynamolock.
 */
record PropertyCheck(Environment environment) implements BeanFactoryPostProcessor {

    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("dynamolock");

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        Map<ConfigurationPropertyName, Bindable<?>> known = known();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource names
                    && !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
                for (ConfigurationPropertyName name : names) {
                    if (OURS.isAncestorOf(name) && !known.containsKey(name)) {
                        throw new InvalidSetUpException(
                                "There is no property " + name + ".", "Correct the name, or remove it.");
                    }
                }
            }
        }
        known.forEach((name, target) -> {
            if (target.getType().resolve() == Duration.class) {
                refuseWithoutUnit(name.toString());
            }
        });
    }

    /** The known names and their types. A value that does not fit its type fails when it is used. */
    private Map<ConfigurationPropertyName, Bindable<?>> known() {
        Map<ConfigurationPropertyName, Bindable<?>> known = new LinkedHashMap<>();
        Binder.get(environment)
                .bindOrCreate(OURS, Bindable.of(DynamoLockProperties.class), new IgnoreErrorsBindHandler() {
                    @Override
                    public <T> Bindable<T> onStart(
                            ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
                        known.put(name, target);
                        return target;
                    }
                });
        return known;
    }

    private void refuseWithoutUnit(String property) {
        String value = Binder.get(environment)
                .bind(property, String.class)
                .map(String::trim)
                .orElse("");
        if (value.matches("[+-]?\\d+") && !value.matches("[+-]?0+")) {
            throw new InvalidSetUpException(
                    property + " is '" + value + "', which has no unit.",
                    "Write " + value + "s or " + value + "ms, or another unit.");
        }
    }
}
