package io.dynamolock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Gives a slice the auto-configuration of locks and of {@code @DynamoLocked}, and no other auto-configuration. It is
 * part of {@link DynamoLockTest}. On other slices, such as {@code @WebMvcTest}, use it together with {@link
 * AutoConfigureTestLocks}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureDynamoLock {}
