package io.dynamolock.internal.engine;

import io.dynamolock.engine.AcquireOutcome;

/** How an acquisition ended. */
public sealed interface Outcome {

    /** The caller holds the lock until it releases the grant or the grant is lost. */
    record Granted(Grant grant) implements Outcome {}

    /** The caller does not get the lock. */
    record NotGranted(AcquireOutcome why) implements Outcome {}
}
