package io.dynamolock.internal.engine;

import java.time.Instant;

/**
 * The moment of an event.
 *
 * @param nanos by the monotonic clock
 * @param storeTime a moment that has certainly passed by the store's wall clock, as far as this process can tell
 * @param sessionIsValid whether this process's session is certainly alive
 */
record Now(long nanos, Instant storeTime, boolean sessionIsValid) {}
