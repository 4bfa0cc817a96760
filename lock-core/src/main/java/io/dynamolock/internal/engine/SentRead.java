package io.dynamolock.internal.engine;

/** A read of a lock that is under way, or was. */
record SentRead(boolean consistent, long nanos) {}
