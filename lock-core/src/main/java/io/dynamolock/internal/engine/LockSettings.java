package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.FailureDetection;
import io.dynamolock.internal.protocol.PollingInterval;
import java.time.Duration;

/**
 * What an engine's locks have in common.
 *
 * @param owner the name of this process
 * @param maxQueue how many entries a queue may have
 * @param callTimeout how long one call to the store may take
 * @param retention how long an unused item stays in the table
 */
record LockSettings(
        String owner,
        PollingInterval polling,
        FailureDetection detection,
        int maxQueue,
        Duration callTimeout,
        Duration retention) {}
