package io.dynamolock;

import io.dynamolock.internal.engine.AcquireOutcome;

/** What became of a caller's wait, and who follows the caller. */
record Answer(AcquireOutcome outcome, FollowedCaller caller) {}
