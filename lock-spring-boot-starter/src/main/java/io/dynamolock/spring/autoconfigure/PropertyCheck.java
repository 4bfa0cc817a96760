package io.dynamolock.spring.autoconfigure;

import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Stops the start for what Spring Boot binds without a word: a name that nobody reads, so that a lock has another lease
 * than the file says, and a duration without a unit, which would be milliseconds. The environment is not the application's
 * alone (Kubernetes puts variables there for a service of that name), so of what nobody reads there it only warns.
 */
final class PropertyCheck implements BeanFactoryPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(PropertyCheck.class);

    private static final Pattern VARIABLE = Pattern.compile("(?i)dynamo[-_]?lock[._].+");

    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("dynamolock");

    private final ConfigurableEnvironment environment;
    private final Map<ConfigurationPropertyName, Class<?>> known = new HashMap<>();

    PropertyCheck(ConfigurableEnvironment environment) {
        this.environment = environment;
        collect(DynamoLockProperties.class, OURS);
    }

    private void collect(Class<?> type, ConfigurationPropertyName prefix) {
        for (Parameter parameter : type.getDeclaredConstructors()[0].getParameters()) {
            Name given = parameter.getAnnotation(Name.class);
            ConfigurationPropertyName name = prefix.append(
                    given != null ? given.value() : DataObjectPropertyName.toDashedForm(parameter.getName()));
            if (parameter.getType().isRecord()) {
                collect(parameter.getType(), name);
            } else {
                known.put(name, parameter.getType());
            }
        }
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        refuseUnknown();
        warnOfUnknownVariables();
        known.forEach((name, type) -> {
            if (type == Duration.class) {
                refuseWithoutUnit(name);
            }
        });
    }

    private void refuseUnknown() {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable
                    && !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
                iterable.stream()
                        .filter(name -> OURS.isAncestorOf(name) && !known.containsKey(name))
                        .findFirst()
                        .ifPresent(name -> {
                            throw new InvalidSetUpException(
                                    "There is no property " + name + ".", "Correct the name, or remove it.");
                        });
            }
        }
    }

    private void warnOfUnknownVariables() {
        TreeSet<String> unknown = new TreeSet<>();
        environment.getPropertySources().stream()
                .flatMap(source -> source instanceof SystemEnvironmentPropertySource variables
                        ? Stream.of(variables.getPropertyNames())
                        : Stream.of())
                .filter(name -> VARIABLE.matcher(name).matches() && !isRead(name))
                .forEach(unknown::add);
        if (!unknown.isEmpty()) {
            LOG.warn(
                    "These environment variables set no property of DynamoLock: {}. Correct or remove them, unless they are"
                            + " those of a service of Kubernetes.",
                    String.join(", ", unknown));
        }
    }

    /** Whether Spring Boot reads one of the properties from an environment variable of that name. */
    private boolean isRead(String variable) {
        ConfigurationPropertySource only =
                Objects.requireNonNull(ConfigurationPropertySource.from(new SystemEnvironmentPropertySource(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of(variable, ""))));
        return known.keySet().stream().anyMatch(name -> only.getConfigurationProperty(name) != null);
    }

    private void refuseWithoutUnit(ConfigurationPropertyName property) {
        String value = Binder.get(environment)
                .bind(property.toString(), String.class)
                .map(String::trim)
                .orElse("");
        if (value.matches("[+-]?\\d+") && !value.matches("[+-]?0+")) {
            throw new InvalidSetUpException(
                    property + " is '" + value + "', which has no unit.",
                    "Write " + value + "s or " + value + "ms, or another unit.");
        }
    }
}
