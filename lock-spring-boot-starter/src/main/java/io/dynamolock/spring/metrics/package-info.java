/**
 * Micrometer's meters for locks: {@link io.dynamolock.spring.metrics.LockMeters} listens to the registry. The
 * auto-configuration makes this bean; an application without Spring Boot declares it.
 */
@NullMarked
package io.dynamolock.spring.metrics;

import org.jspecify.annotations.NullMarked;
