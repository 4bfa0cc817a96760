/**
 * Micrometer's observations for locks: {@link io.dynamolock.spring.observation.LockObservations} makes spans and
 * timers. The auto-configuration makes this bean; an application without Spring Boot declares it.
 */
@NullMarked
package io.dynamolock.spring.observation;

import org.jspecify.annotations.NullMarked;
