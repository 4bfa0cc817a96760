/**
 * A {@link io.dynamolock.LockRegistry} that locks nothing, for where locks are switched off. Read {@link
 * io.dynamolock.spring.unlocked.UnlockedLockRegistry} first; it is the only class that others touch. Tests get it from
 * {@link io.dynamolock.spring.test.UnlockedRegistry}.
 */
@NullMarked
package io.dynamolock.spring.unlocked;

import org.jspecify.annotations.NullMarked;
