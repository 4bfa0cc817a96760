package io.dynamolock.internal.engine;

import io.dynamolock.internal.time.Moment;
import java.time.Instant;

/**
 * The time of an event.
 *
 * @param moment by the monotonic clock
 * @param storeTime a moment that has certainly passed by the store's wall clock, as far as this process can tell
 * @param sessionIsValid whether this process's session is certainly alive
 */
record Now(Moment moment, Instant storeTime, boolean sessionIsValid) {}
