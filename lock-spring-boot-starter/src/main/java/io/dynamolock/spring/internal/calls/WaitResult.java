package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a wait for locks: either the handles or a timeout.
 *
 * @param handles in the order in which the locks are wanted; empty after a timeout
 */
record WaitResult(List<LockHandle> handles, @Nullable WaitTimeout timeout) {}
