package io.dynamolock;

import java.time.Instant;

/**
 * A caller of this process that waits for a lock.
 *
 * @param key what is to be locked
 * @param namespace the lock's namespace
 * @param name the name used for metrics, see {@link LockRequest#name(String)}
 * @param caller who asks, see {@link LockRequest#caller(String)}
 * @param since when it has asked, by this machine's wall clock
 */
public record WaitingCaller(String key, String namespace, String name, String caller, Instant since) {}
