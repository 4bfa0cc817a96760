/**
 * The aspect as a bean, {@link io.dynamolock.spring.aspect.DynamoLockedAdvisor}, and the beans that {@code
 * @EnableDynamoLocks} sets up with it. An application with neither this annotation nor the auto-configuration declares
 * the advisor itself. Other applications use nothing from here.
 */
@NullMarked
package io.dynamolock.spring.aspect;

import org.jspecify.annotations.NullMarked;
