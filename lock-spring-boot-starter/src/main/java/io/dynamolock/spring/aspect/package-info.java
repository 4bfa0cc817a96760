/** The aspect behind {@link io.dynamolock.spring.annotation.DynamoLocked}, and the elections of its context. */
@NullMarked
package io.dynamolock.spring.aspect;

import org.jspecify.annotations.NullMarked;
