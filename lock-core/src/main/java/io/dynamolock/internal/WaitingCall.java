package io.dynamolock.internal;

import io.dynamolock.internal.protocol.LockKey;
import java.time.Instant;

/**
 * A caller of this process that waits.
 *
 * @param name for metrics
 * @param caller who asks, for people
 * @param since when it has asked, by the wall clock
 */
public record WaitingCall(LockKey key, String name, String caller, Instant since) {}
