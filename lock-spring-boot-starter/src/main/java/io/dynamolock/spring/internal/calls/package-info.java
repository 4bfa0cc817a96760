/**
 * Runs the calls of locked methods. Internal to the starter. Read {@link
 * io.dynamolock.spring.internal.calls.LockInterceptor} first, then {@code BlockingCall}, the simplest kind of call.
 *
 * <pre>
 * LockInterceptor  finds the LockedMethod; begins a BlockingCall, a FutureCall or, per subscription, a StreamCall
 * LockedMethod     evaluates conditions and keys: the WantedLocks of this call
 * HeldLocks        enters those that the caller holds already, by its thread or its Reactor context
 * LockedCall       acquires the missing ones, all or none: a WaitResult, by way of PendingLocks where nobody blocks
 * WaitTimeout      if the wait is over, has the call skipped, or answered by a fallback or an exception, without a lock
 * HeldLocks        makes a HeldLock of each handle; if the caller has a transaction, they stay until that has ended
 * LockedCall       proceeds to the aspects inside the lock and the method, to which CurrentLock shows its locks
 * HeldLocks        leaves all; a HeldLock releases its handle with its last user
 * </pre>
 *
 * <p>The moment of the last step depends on the result:
 *
 * <table>
 * <caption>Where a lock is released</caption>
 * <tr><th>result</th><th>when</th><th>where</th></tr>
 * <tr><td>a value</td><td>the method has returned or thrown</td><td>{@code BlockingCall.run}</td></tr>
 * <tr><td>a future</td><td>the method has returned, and its future has ended, its caller cancelled the answer, or the
 *     lock is lost</td> <td>{@code FutureCall}, its constructor</td></tr>
 * <tr><td>a stream</td><td>it has ended, or its subscriber has cancelled it</td><td>{@code StreamCall.goOn}</td></tr>
 * <tr><td>a coroutine</td><td>as a stream, but not before its jobs have ended</td>
 *     <td>{@code StreamCall.goOn} with {@code CoroutineWork.ended}</td></tr>
 * <tr><td>any, in a transaction of the caller</td><td>the transaction has ended, with all of its callbacks</td>
 *     <td>{@link io.dynamolock.spring.internal.transactions}</td></tr>
 * </table>
 */
@NullMarked
package io.dynamolock.spring.internal.calls;

import org.jspecify.annotations.NullMarked;
