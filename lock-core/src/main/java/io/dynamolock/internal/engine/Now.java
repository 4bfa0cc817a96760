package io.dynamolock.internal.engine;

import io.dynamolock.internal.time.Moment;
import java.time.Instant;

/**
 * The time of an event.
 *
 * @param moment by the monotonic clock
 * @param wall by this machine's wall clock, for people only
 * @param sessionIsValid whether this process's session is certainly alive
 */
record Now(Moment moment, Instant wall, boolean sessionIsValid) {}
