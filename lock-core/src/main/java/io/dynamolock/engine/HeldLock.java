package io.dynamolock.engine;

import io.dynamolock.store.LockKey;
import java.time.Instant;

/** A lock that this process holds. */
public record HeldLock(LockKey key, String name, long number, Instant since) {}
