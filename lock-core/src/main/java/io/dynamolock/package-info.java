/**
 * What users call, and nothing else: every class is public API. {@link io.dynamolock.LockRegistry#builder} builds a
 * {@link io.dynamolock.LockRegistry}, which grants {@link io.dynamolock.LockHandle}s; {@link
 * io.dynamolock.LockException} says what can go wrong. Read {@code LockRegistry} first.
 *
 * <p>The implementation is in {@code io.dynamolock.internal} and below. This package knows only one of its classes,
 * {@code Internals}.
 */
@NullMarked
package io.dynamolock;

import org.jspecify.annotations.NullMarked;
