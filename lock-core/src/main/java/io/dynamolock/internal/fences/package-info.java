/**
 * Fenced writes: {@code Fences} makes the check of a lock for a transaction, {@code FencedTransaction} decides what a
 * refusal means, and {@code FencedCalls} sends transactions until they are through.
 *
 * <p>Read {@code FencedTransaction} first. Users come in by {@code FencedWrites} and {@code LockHandle.fence()}.
 */
@NullMarked
package io.dynamolock.internal.fences;

import org.jspecify.annotations.NullMarked;
