/**
 * A store in the memory of this process. It serves the tests of this project, and applications that set {@code
 * dynamolock.store=memory} or use {@code lock-spring-boot-test}. No other package of the core uses it. {@link
 * io.dynamolock.internal.store.memory.InMemoryLockStore} is all of it.
 */
@NullMarked
package io.dynamolock.internal.store.memory;

import org.jspecify.annotations.NullMarked;
