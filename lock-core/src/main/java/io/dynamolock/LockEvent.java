package io.dynamolock;

import java.time.Duration;

/** What a {@link LockListener} hears. */
public sealed interface LockEvent {

    /** @param ahead how many were ahead when entering, as far as this process knew */
    record Queued(String key, String namespace, String name, long fencingToken, long ahead) implements LockEvent {}

    /** @param queued whether the caller had to queue */
    record Acquired(String key, String namespace, String name, long fencingToken, Duration waited, boolean queued)
            implements LockEvent {}

    record TimedOut(String key, String namespace, String name, Duration waited) implements LockEvent {}

    /** The caller was cancelled or interrupted, or its attempt failed, or the registry was closed. */
    record Abandoned(String key, String namespace, String name, Duration waited) implements LockEvent {}

    record Released(String key, String namespace, String name, long fencingToken, Duration held) implements LockEvent {}

    record Lost(String key, String namespace, String name, long fencingToken, Duration held, String reason)
            implements LockEvent {}

    record SessionStarted(String session) implements LockEvent {}

    record SessionLost(String session) implements LockEvent {}

    record StoreCallFailed(String operation, Throwable cause) implements LockEvent {}
}
