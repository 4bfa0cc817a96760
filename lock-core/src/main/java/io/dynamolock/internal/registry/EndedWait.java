package io.dynamolock.internal.registry;

import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.threads.ObservedCaller;

/**
 * A caller's wait that is over.
 *
 * @param outcome how the wait ended
 * @param caller the caller whose wait it was
 */
record EndedWait(AcquireOutcome outcome, ObservedCaller caller) {}
