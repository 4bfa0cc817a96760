package io.dynamolock;

import java.time.Instant;

/**
 * A lock that this process holds.
 *
 * @param name the name used for metrics
 */
public record HeldLock(String key, String namespace, String name, long fencingToken, Instant since) {}
