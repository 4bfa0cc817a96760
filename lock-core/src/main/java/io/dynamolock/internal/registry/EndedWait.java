package io.dynamolock.internal.registry;

import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.threads.FollowedCaller;

/** What became of a caller's wait, and who follows the caller. */
record EndedWait(AcquireOutcome outcome, FollowedCaller caller) {}
