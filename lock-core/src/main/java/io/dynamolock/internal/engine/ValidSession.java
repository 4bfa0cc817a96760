package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import java.time.Instant;

/**
 * This process's session, as it is at one moment.
 *
 * @param owner the name of the process
 * @param since when the session was begun, by the wall clock
 * @param lastHeartbeat when the last heartbeat that got through was sent, by the wall clock
 * @param remaining how long the session is certainly alive if no further heartbeat gets through
 */
public record ValidSession(SessionId id, String owner, Instant since, Instant lastHeartbeat, Duration remaining) {}
