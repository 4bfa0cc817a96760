package io.dynamolock.spring.autoconfigure;

import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Stops the start for what Spring Boot binds without a word: a name that nobody reads, so that a lock has another lease
 * than the file says, and a duration without a unit, which would be milliseconds. The environment is not the application's
 * alone (Kubernetes puts variables there for a service of that name), so of what nobody reads there it only warns.
 */
final class PropertyCheck implements BeanFactoryPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(PropertyCheck.class);

    private static final Pattern VARIABLE = Pattern.compile("(?i)dynamo[-_]?lock[._].+");

    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("dynamo-lock");

    private static final String TABLE_CHECK = "dynamo-lock.table.check";

    private final ConfigurableEnvironment environment;
    private final KnownProperties known = new KnownProperties();

    PropertyCheck(ConfigurableEnvironment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        refuseUnknown();
        warnOfUnknownVariables();
        refuseYesOrNo();
        known.durations().forEach(this::refuseWithoutUnit);
    }

    private void refuseUnknown() {
        TreeSet<String> unknown = new TreeSet<>();
        ConfigurationPropertySources.get(environment).forEach(source -> {
            if (source instanceof IterableConfigurationPropertySource iterable
                    && !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
                iterable.stream()
                        .filter(OURS::isAncestorOf)
                        .map(ConfigurationPropertyName::toString)
                        .filter(name -> !known.contain(name))
                        .forEach(unknown::add);
            }
        });
        if (!unknown.isEmpty()) {
            String name = unknown.first();
            String nearest = known.nearest(name);
            throw new InvalidSetUpException(
                    "There is no property " + name + "."
                            + (nearest.isEmpty() ? "" : " The nearest is " + nearest + "."),
                    "Correct the name, or remove it.");
        }
    }

    private void warnOfUnknownVariables() {
        String unknown = environment.getPropertySources().stream()
                .flatMap(source -> source instanceof SystemEnvironmentPropertySource variables
                        ? Stream.of(variables.getPropertyNames())
                        : Stream.of())
                .filter(VARIABLE.asMatchPredicate())
                .filter(name -> !known.areReadFrom(name))
                .distinct()
                .sorted()
                .map(name -> {
                    String nearest = known.nearestVariable(name);
                    return nearest.isEmpty() ? name : name + " (the nearest is " + nearest + ")";
                })
                .collect(Collectors.joining(", "));
        if (!unknown.isEmpty()) {
            LOG.warn(
                    "These environment variables set no property of DynamoLock: {}. Correct or remove them, unless they are"
                            + " those of a service of Kubernetes.",
                    unknown);
        }
    }

    /** As YAML also writes on and off. */
    private void refuseYesOrNo() {
        String value = value(TABLE_CHECK);
        if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
            throw new InvalidSetUpException(
                    TABLE_CHECK + " is '" + value + "', but must be one of fail, warn and never.",
                    "Write fail to stop the start if the table is missing or wrong, warn to log that, or never to do"
                            + " without the check.");
        }
    }

    private String value(String property) {
        return Binder.get(environment)
                .bind(property, String.class)
                .map(String::trim)
                .orElse("");
    }

    private void refuseWithoutUnit(String property) {
        String value = value(property);
        if (value.matches("[+-]?\\d+") && !value.matches("[+-]?0+")) {
            throw new InvalidSetUpException(
                    property + " is '" + value + "', which has no unit.",
                    "Write " + value + "s or " + value + "ms, or another unit.");
        }
    }
}
