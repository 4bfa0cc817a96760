/**
 * What a process knows and wants of its locks, and what it does next.
 *
 * <p>Read {@link io.dynamolock.internal.engine.LockState} first: its comment tells the life of a lock and names the
 * parts. {@link io.dynamolock.internal.engine.OwnSession} is the process's session, and {@link
 * io.dynamolock.internal.engine.Peers} are the sessions of others. {@link io.dynamolock.internal.engine.Engine} is the
 * shell around these three: it hands them events and carries out the effects that they answer with.
 *
 * <p>Each of these questions is answered by the comment of one class:
 *
 * <table>
 * <caption>Where to look</caption>
 * <tr><th>question</th><th>answered at</th><th>done in</th></tr>
 * <tr>
 *   <td>Who holds the lock?</td>
 *   <td>{@link io.dynamolock.internal.protocol.LockItem}</td>
 *   <td>{@code LockItem.holders}, {@code LockState.grant}</td>
 * </tr>
 * <tr>
 *   <td>When is a write sent, and which?</td>
 *   <td>{@link io.dynamolock.internal.engine.NextWrite}</td>
 *   <td>{@code LockState.write}, {@code NextWrite.decide}</td>
 * </tr>
 * <tr>
 *   <td>What happens when an answer is lost?</td>
 *   <td>{@link io.dynamolock.internal.engine.Calls}</td>
 *   <td>{@code LockState.Notes.editFailed}, {@code LockState.Notes.readFailed}</td>
 * </tr>
 * <tr>
 *   <td>When does a process stop looking at a lock?</td>
 *   <td>{@link io.dynamolock.internal.engine.NextRead}</td>
 *   <td>{@code LockState.read}, {@code NextRead.due}, {@code LockState.isIdle}</td>
 * </tr>
 * <tr>
 *   <td>What ends a wait?</td>
 *   <td>{@link io.dynamolock.internal.engine.EndOfWaits}</td>
 *   <td>{@code EndOfWaits.refusal}, {@code EndOfWaits.overdue}, {@code LockState.end}</td>
 * </tr>
 * <tr>
 *   <td>Who removes a dead process's entry?</td>
 *   <td>{@link io.dynamolock.internal.protocol.FailureDetection}</td>
 *   <td>{@code FailureDetection.toWatch}, {@code Peers.expire}, {@code FailureDetection.toTakeOut}</td>
 * </tr>
 * </table>
 *
 * <p>Public types are what other packages need: the engine itself, requests and outcomes, grants, the listener,
 * settings. Everything that decides about locks is package-private. All state lives on one {@link
 * io.dynamolock.internal.loop.EventLoop}.
 *
 * <p>The words here are those of {@code docs/how-it-works.md}, which describes the protocol:
 *
 * <ul>
 *   <li><b>entry</b>: an element of a lock's queue, which a process appends for its callers
 *   <li><b>slot</b>: a place in an entry; each slot serves one caller
 *   <li><b>ticket</b>: the fencing token of a slot, and of the grant that uses it
 *   <li><b>reissue</b>: replacing an entry where it stands by the same entry with a new number
 *   <li><b>orphan</b>: an entry of this process's session that this process does not know
 *   <li><b>front</b>: the first entry of the queue; {@code KnownItem.Front} remembers since when it has been first
 *   <li><b>run</b>: the entries of one session that hold the lock together
 *   <li><b>turn</b>: the time in which a process has a run
 *   <li><b>fence</b>: the condition of a transaction that an entry is in the queue
 *   <li><b>kept entry</b>: an entry of no session, which keeps the lock taken until a certain time
 *   <li><b>spare slot</b>: a slot for a caller that has not come yet but probably will
 *   <li><b>try</b>: a caller that does not wait: it gets the lock at once, or not at all
 * </ul>
 */
@NullMarked
package io.dynamolock.internal.engine;

import org.jspecify.annotations.NullMarked;
