/** Moves the validation of arguments in front of the lock. Internal to the starter. */
@NullMarked
package io.dynamolock.spring.internal.validation;

import org.jspecify.annotations.NullMarked;
