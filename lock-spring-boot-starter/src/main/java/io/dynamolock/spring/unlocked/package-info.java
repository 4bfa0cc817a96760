/**
 * A {@link io.dynamolock.LockRegistry} that locks nothing, for tests. Tests get it from the factory {@link
 * io.dynamolock.spring.test.UnlockedRegistry}. Main code does not use it: with {@code dynamolock.enabled=false} there
 * is no registry at all. Read {@link io.dynamolock.spring.unlocked.AlwaysGrantingRegistry}, the registry itself, first;
 * other packages use no other class from here.
 */
@NullMarked
package io.dynamolock.spring.unlocked;

import org.jspecify.annotations.NullMarked;
