package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a wait for locks.
 *
 * @param handles in the order in which they are wanted; none after a timeout
 */
record Acquired(List<LockHandle> handles, @Nullable Timeout timeout) {}
