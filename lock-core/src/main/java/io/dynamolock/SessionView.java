package io.dynamolock;

import java.time.Duration;
import java.time.Instant;

/**
 * The session of a registry, under which it holds all its locks, as it is at one moment.
 *
 * @param id the id of its item in the table
 * @param owner the {@linkplain DynamoLocksBuilder#owner(String) name} of the process
 * @param since when it was begun, by this machine's wall clock
 * @param lastBeat when the last heartbeat that got through was sent, by this machine's wall clock; at first the same
 * @param remaining how long it is certainly alive if no further heartbeat gets through; more than zero
 */
public record SessionView(String id, String owner, Instant since, Instant lastBeat, Duration remaining) {}
