package io.dynamolock.internal.handles;

import io.dynamolock.LockHandle;

/** A handle that knows how messages show its lock. */
public interface DescribedHandle extends LockHandle {

    /** The lock, for the middle of a sentence: with its name if its key is hidden. */
    String describe();
}
