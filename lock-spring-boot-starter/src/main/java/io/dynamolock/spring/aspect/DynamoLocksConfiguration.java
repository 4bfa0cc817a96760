package io.dynamolock.spring.aspect;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.annotation.PersistenceContextCheck;
import io.dynamolock.spring.annotation.ReleaseTime;
import io.dynamolock.spring.internal.declarations.LockDurations;
import io.dynamolock.spring.internal.registry.LockRegistryConfiguration;
import io.dynamolock.spring.internal.retries.RetryUnderLock;
import io.dynamolock.spring.leaders.DynamoLeaders;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportAware;
import org.springframework.context.annotation.Role;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** The beans that {@link EnableDynamoLocks} sets up. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@Import({LockRegistryConfiguration.class, DynamoLockedAdvisorConfiguration.class})
class DynamoLocksConfiguration implements ImportAware {

    private static final Logger LOG = LoggerFactory.getLogger(DynamoLocksConfiguration.class);

    /** What the annotation says in the place of the starter's properties: a property, and the attribute instead. */
    private record Replaced(String property, String attribute) {

        static final List<Replaced> ALL = List.of(
                new Replaced("dynamolock.wait", "waitTime"),
                new Replaced("dynamolock.persistence-context", "persistenceContext"),
                new Replaced("dynamolock.aspect.release", "release"),
                new Replaced("dynamolock.aspect.order", "order"),
                new Replaced("dynamolock.aspect.mode", "mode"));

        @Override
        public String toString() {
            return property + " (say " + attribute + " in the annotation)";
        }
    }

    /** The annotation that has imported this class. Set once, before any bean is made. */
    private MergedAnnotation<EnableDynamoLocks> settings = MergedAnnotation.missing();

    @Override
    public void setImportMetadata(AnnotationMetadata importer) {
        settings = importer.getAnnotations().get(EnableDynamoLocks.class);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    DynamoLockedAdvisor dynamoLockedAdvisor(
            ConfigurableBeanFactory beans, ObjectProvider<LockRegistry> registry, Environment environment) {
        String wait = settings.getString("waitTime");
        warnOfIgnored(environment, wait);
        DynamoLockedAdvisor advisor = new DynamoLockedAdvisor(beans, registry::getObject, () -> parsed(wait, beans));
        advisor.setOrder(settings.getInt("order"));
        advisor.setRelease(settings.getEnum("release", ReleaseTime.class));
        advisor.setPersistenceContext(settings.getEnum("persistenceContext", PersistenceContextCheck.class));
        advisor.setMode(settings.getEnum("mode", AdviceMode.class));
        return advisor;
    }

    /** Somebody who sets such a property relies on it, the more so on one that refuses calls. */
    private static void warnOfIgnored(Environment environment, String wait) {
        List<Replaced> ignored = Replaced.ALL.stream()
                .filter(replaced -> environment.containsProperty(replaced.property()))
                // The annotation may take its wait from the property.
                .filter(replaced -> !wait.contains(replaced.property()))
                .toList();
        if (!ignored.isEmpty()) {
            LOG.warn(
                    "@EnableDynamoLocks says how methods with @DynamoLocked are locked, so these properties have no effect"
                            + " on them: {}. In a Spring Boot application, leave the annotation out instead: the starter"
                            + " does the same, by these properties.",
                    ignored.stream().map(Replaced::toString).collect(Collectors.joining(", ")));
        }
    }

    /**
     * Parses the wait. Called only when it is needed, because placeholders cannot be resolved yet when the advisor is
     * made.
     */
    private static Duration parsed(String wait, ConfigurableBeanFactory beans) {
        try {
            return LockDurations.parse(String.valueOf(beans.resolveEmbeddedValue(wait)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("@EnableDynamoLocks: the waitTime " + e.getMessage());
        }
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RetryUnderLock dynamoLockRetryUnderLock() {
        return new RetryUnderLock();
    }

    @Bean
    static DynamoLeaders dynamoLeaders(ConfigurableListableBeanFactory beans, ObjectProvider<LockRegistry> registry) {
        return new DynamoLeaders(beans, registry::getObject);
    }
}
