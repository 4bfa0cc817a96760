/** The annotation {@link io.dynamolock.spring.DynamoLocked} and the aspect behind it. */
@NullMarked
package io.dynamolock.spring;

import org.jspecify.annotations.NullMarked;
