/**
 * Looks for what the thread of a call may have read before it was granted a lock. Internal to the starter. Read {@code
 * PersistenceCheck} first.
 */
@NullMarked
package io.dynamolock.spring.internal.persistence;

import org.jspecify.annotations.NullMarked;
