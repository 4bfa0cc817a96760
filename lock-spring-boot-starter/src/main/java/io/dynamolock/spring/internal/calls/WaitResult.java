package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a wait for locks.
 *
 * @param handles in the order in which they are wanted; none after a timeout
 */
record WaitResult(List<LockHandle> handles, @Nullable WaitTimeout timeout) {}
