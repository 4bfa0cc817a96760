package io.dynamolock;

import java.time.Instant;

/**
 * A lock that this process holds.
 *
 * @param key what is locked
 * @param namespace the lock's namespace
 * @param name the name used for metrics, see {@link LockRequest#name(String)}
 * @param fencingToken the grant's fencing token
 * @param since when it was granted, by this machine's wall clock
 * @param caller who has asked for it, see {@link LockRequest#caller(String)}
 */
public record HeldLock(String key, String namespace, String name, long fencingToken, Instant since, String caller) {}
