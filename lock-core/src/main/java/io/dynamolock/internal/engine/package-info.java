/**
 * What a process knows and wants of its locks, and what it does next.
 *
 * <p>Read {@link io.dynamolock.internal.engine.LockState} first: its comment tells the life of a lock and names the
 * parts. {@link io.dynamolock.internal.engine.OwnSession} is the process's session, and {@link
 * io.dynamolock.internal.engine.Peers} are the sessions of others. {@link io.dynamolock.internal.engine.Engine} is the
 * shell around these three: it hands them events and carries out the effects that they answer with.
 *
 * <p>From outside, an engine is built and called through {@code Engine}, and a caller has a {@link
 * io.dynamolock.internal.engine.PendingAcquisition} and then a {@link io.dynamolock.internal.engine.Grant} in its
 * hands. All state lives on one {@link io.dynamolock.internal.loop.EventLoop}. Everything else here is
 * package-private.
 */
@NullMarked
package io.dynamolock.internal.engine;

import org.jspecify.annotations.NullMarked;
