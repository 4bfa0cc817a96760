package io.dynamolock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of beans that use locks, and of nothing else. It has locks in memory, {@code @DynamoLocked} and {@link
 * TestLocks}, but no AWS clients, no web server, and no other auto-configuration. It does not scan for beans of the
 * application: name the beans under test by {@code @Import} or {@link #includeFilters()}.
 *
 * <p>After each test, the locks are {@linkplain TestLocks#reset() reset}. Contexts are cached as for every test of
 * Spring Boot. Each context has locks of its own, so test classes may run in parallel if their contexts differ. A test
 * that begins while another test of its context runs fails.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(DynamoLockTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@AutoConfigureDynamoLock
@ImportAutoConfiguration
public @interface DynamoLockTest {

    /** Properties of the environment, as {@code name=value}. */
    String[] properties() default {};

    /** Whether to leave out beans of the application that no filter includes; true by default. */
    boolean useDefaultFilters() default true;

    /** Which beans of the application to include. */
    Filter[] includeFilters() default {};

    /** Which beans to leave out, although a filter includes them. */
    Filter[] excludeFilters() default {};

    /** Auto-configuration to leave out. */
    @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
    Class<?>[] excludeAutoConfiguration() default {};
}
