/**
 * A store in the memory of this process. It serves the tests of this project, and applications that set {@code
 * dynamolock.store=memory} or use {@code lock-spring-boot-test}. In the core, only {@code testbed} uses it. It has one
 * class, {@link io.dynamolock.internal.store.memory.InMemoryLockStore}.
 */
@NullMarked
package io.dynamolock.internal.store.memory;

import org.jspecify.annotations.NullMarked;
