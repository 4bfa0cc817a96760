/**
 * Locks in Spring Boot's Actuator: the endpoint {@code dynamolock}, through which operators can also evict, and the
 * health of the table. Applications call nothing here. Read {@link io.dynamolock.spring.actuate.DynamoLocksEndpoint}
 * first.
 */
@NullMarked
package io.dynamolock.spring.actuate;

import org.jspecify.annotations.NullMarked;
