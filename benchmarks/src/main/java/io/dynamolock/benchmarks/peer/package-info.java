/**
 * The locks that are compared, each behind the same small interface. Read {@link io.dynamolock.benchmarks.peer.Peer}
 * and {@link io.dynamolock.benchmarks.peer.LockProcess} first. To add a lock, implement both and list it in {@link
 * io.dynamolock.benchmarks.peer.Peers}.
 */
@NullMarked
package io.dynamolock.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
