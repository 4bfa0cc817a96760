/**
 * The aspect as a bean: {@link io.dynamolock.spring.aspect.DynamoLockedAdvisor}, and what {@code @EnableDynamoLocks}
 * sets up around it. An application that wants neither that annotation nor the auto-configuration declares the advisor
 * itself; all others need nothing from here.
 */
@NullMarked
package io.dynamolock.spring.aspect;

import org.jspecify.annotations.NullMarked;
