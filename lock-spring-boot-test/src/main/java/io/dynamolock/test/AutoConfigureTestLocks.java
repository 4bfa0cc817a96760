package io.dynamolock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * Gives a test of a whole application, or of another slice, locks in memory and {@link TestLocks} to control them,
 * whatever store the application has. After each test, they are {@linkplain TestLocks#reset() reset}.
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureTestLocks
 * class ShopTest { ... }
 * }</pre>
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@TestPropertySource(properties = "dynamolock.store=memory")
public @interface AutoConfigureTestLocks {}
