/** What Spring Boot's Actuator shows of locks. */
@NullMarked
package io.dynamolock.spring.actuate;

import org.jspecify.annotations.NullMarked;
