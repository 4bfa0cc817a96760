/**
 * A {@link io.dynamolock.LockRegistry} that locks nothing, for tests and for {@code dynamolock.enabled=false}. Tests
 * get it from the factory {@link io.dynamolock.spring.test.UnlockedRegistry}. Read {@link
 * io.dynamolock.spring.unlocked.AlwaysGrantingRegistry}, the registry itself, first; other packages use no other class
 * from here.
 */
@NullMarked
package io.dynamolock.spring.unlocked;

import org.jspecify.annotations.NullMarked;
