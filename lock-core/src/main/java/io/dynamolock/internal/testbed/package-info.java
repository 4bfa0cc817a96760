/**
 * What {@code lock-spring-boot-test} needs of the core: the real engine on a clock that moves and a store that fails,
 * and other processes beside it. {@link io.dynamolock.internal.testbed.LockTestbed} is the only class that is touched
 * from outside, and the one to read first. Nothing in production uses this package.
 */
@NullMarked
package io.dynamolock.internal.testbed;

import org.jspecify.annotations.NullMarked;
