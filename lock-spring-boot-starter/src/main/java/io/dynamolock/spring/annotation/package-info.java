/** What applications write and hear: {@link io.dynamolock.spring.annotation.DynamoLocked} and all that belongs to it. */
@NullMarked
package io.dynamolock.spring.annotation;

import org.jspecify.annotations.NullMarked;
