package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.autoconfigure.DynamoLockProperties.StoreType;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/** Only with one of these stores. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Conditional(StoreCondition.class)
@interface ConditionalOnStore {

    StoreType[] value();
}
