/**
 * Runs the calls of locked methods. Internal to the starter. Read {@link
 * io.dynamolock.spring.internal.calls.LockInterceptor} first, then {@code BlockingCall}, the simplest kind of call.
 *
 * <pre>
 * LockInterceptor  finds the LockedMethod; begins a BlockingCall, a FutureCall or, per subscription, a StreamCall
 * LockedMethod     evaluates conditions and keys: the WantedLocks of this call
 * LocksOfCall      enters the locks that the caller holds already. HeldByThread finds the locks of the calling thread
 *                  for a value or a future, HeldByContext the locks of the Reactor context for a stream or a coroutine
 * LockedCall       acquires the missing locks, all or none: a WaitResult, or PendingLocks if the call must not block
 * PersistenceCheck before and after a wait that blocks, looks for what the thread has read before
 * WaitTimeout      after a timeout, says whether the call is skipped or answered by a fallback or an exception
 * LocksOfCall      makes a HeldLock of each handle, and keeps it for a transaction of the caller (not for a future)
 * LockedCall       proceeds to the aspects inside the lock and the method, to which CurrentLock shows its locks
 * LocksOfCall      leaves all locks; a HeldLock releases its handle when its last user leaves
 * </pre>
 *
 * <p>The moment of the last step depends on the result:
 *
 * <table>
 * <caption>Where a lock is released</caption>
 * <tr><th>result</th><th>when</th><th>where</th></tr>
 * <tr><td>a value</td><td>the method has returned or thrown</td><td>{@code BlockingCall.run}</td></tr>
 * <tr><td>a future</td><td>the method has returned, and one of these events has happened: its future has ended, the
 *     caller has cancelled the answer, or a lock was lost</td><td>the constructor of {@code FutureCall}</td></tr>
 * <tr><td>a stream</td><td>it has ended or failed, its subscriber has cancelled it, or a lock was lost</td>
 *     <td>{@code StreamCall.afterWait}</td></tr>
 * <tr><td>a coroutine</td><td>as a stream; if it failed or was cancelled, not before its jobs have ended</td>
 *     <td>{@code StreamCall.leaveWhenEnded}, which waits for {@code CoroutineWork.endAsync}</td></tr>
 * <tr><td>a value, in a transaction of the caller</td><td>the transaction has ended, with all of its callbacks</td>
 *     <td>{@code TransactionEnd.afterCompletion}</td></tr>
 * <tr><td>a stream or a coroutine, in a reactive transaction of the subscriber</td><td>the transaction has ended, with
 *     all of its callbacks</td><td>{@code ReactiveTransaction.End.afterCompletion}</td></tr>
 * <tr><td>after a timeout, or if the wait or a step before the method failed: only locks entered from an outer call are
 *     left</td><td>before the caller gets its answer</td><td>{@code BlockingCall.run}; for a future {@code
 *     FutureCall.afterWait} after a timeout, {@code FutureCall.runOrEnd} after a failure; for a stream or a coroutine
 *     {@code StreamCall.afterWait} and {@code StreamCall.runOrFail}</td></tr>
 * </table>
 *
 * <p>Each of these methods calls {@code HeldLock.leave} or {@code HeldLock.leaveAsync}, directly or through {@code
 * LocksOfCall}. A lock that an outer call has taken, or that the thread has taken from the registry itself, has a
 * further user, and stays held. A future never waits for a transaction: its work may end on another thread, after the
 * transaction.
 */
@NullMarked
package io.dynamolock.spring.internal.calls;

import org.jspecify.annotations.NullMarked;
