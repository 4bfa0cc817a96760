package io.dynamolock.internal;

import io.dynamolock.internal.engine.AcquireOutcome;

/** What became of a caller's wait, and who follows the caller. */
record Answer(AcquireOutcome outcome, FollowedCaller caller) {}
