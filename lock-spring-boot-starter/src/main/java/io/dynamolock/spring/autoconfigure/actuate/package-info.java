/** What Spring Boot's Actuator shows of locks. */
@NullMarked
package io.dynamolock.spring.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
