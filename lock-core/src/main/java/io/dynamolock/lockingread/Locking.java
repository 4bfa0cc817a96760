package io.dynamolock.lockingread;

import io.dynamolock.internal.engine.TimeSource;
import java.time.Duration;

/** What the parts of a table share. Thread-safe. */
record Locking<T>(
        Mapping<T> mapping,
        LockCalls calls,
        Observations observations,
        String owner,
        Duration pollMin,
        Duration pollMax,
        TimeSource time,
        Pauses pauses) {}
