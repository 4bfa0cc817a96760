package io.dynamolock.store;

import java.time.Duration;
import java.time.Instant;

/**
 * A session item as the table has it.
 *
 * @param beat counts the session's heartbeats
 * @param lease how long the same beat must be seen before the session may be buried
 * @param owner a name for people: application, host, process
 * @param beatAt the owner's wall clock at its last beat
 */
public record SessionState(SessionId id, long beat, Duration lease, String owner, Instant beatAt) {}
