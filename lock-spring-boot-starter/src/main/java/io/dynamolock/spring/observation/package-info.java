/** Observations of Micrometer for {@link io.dynamolock.LockRegistry}. */
@NullMarked
package io.dynamolock.spring.observation;

import org.jspecify.annotations.NullMarked;
