/**
 * What Spring Boot's Actuator shows of locks: the endpoint {@code locks}, by which operators also evict, and the health
 * of the table. Nothing here is called by applications. Read {@link io.dynamolock.spring.actuate.DynamoLocksEndpoint}
 * first.
 */
@NullMarked
package io.dynamolock.spring.actuate;

import org.jspecify.annotations.NullMarked;
