package io.dynamolock.test;

import java.time.Instant;

/**
 * A lock that was granted to the code under test.
 *
 * @param name the lock's name, by default that of the method, like {@code OrderService.placeOrder}
 * @param key what was locked
 * @param namespace the lock's namespace
 * @param fencingToken the grant's fencing token
 * @param at when it was granted, by the clock of {@link TestLocks}
 */
public record LockGrant(String name, String key, String namespace, long fencingToken, Instant at) {}
