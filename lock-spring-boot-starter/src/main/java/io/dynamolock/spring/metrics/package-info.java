/**
 * Micrometer's meters for locks: {@link io.dynamolock.spring.metrics.LockMeters} hears of every lock as a listener of
 * the registry. The auto-configuration makes it; an application without Spring Boot declares it as a bean.
 */
@NullMarked
package io.dynamolock.spring.metrics;

import org.jspecify.annotations.NullMarked;
