package io.dynamolock.engine;

import io.dynamolock.protocol.SessionId;
import java.time.Duration;
import java.time.Instant;

/**
 * This process's session, as it is at one moment.
 *
 * @param owner the name of the process
 * @param since when it was begun, by the wall clock
 * @param lastBeat when the last heartbeat that got through was sent, by the wall clock
 * @param remaining how long it is certainly alive if no further one gets through
 */
public record OwnSession(SessionId id, String owner, Instant since, Instant lastBeat, Duration remaining) {}
