/**
 * Micrometer's observations for locks: {@link io.dynamolock.spring.observation.LockObservations}, which spans and their
 * names come from. The auto-configuration makes it; an application without Spring Boot declares it as a bean.
 */
@NullMarked
package io.dynamolock.spring.observation;

import org.jspecify.annotations.NullMarked;
