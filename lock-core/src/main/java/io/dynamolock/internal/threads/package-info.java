/**
 * Where users' code runs, and how it hears of locks: threads for callbacks and continuations, the queue of events for
 * listeners, and observers of single callers. Users' code never runs on the event loop. Also the hooks that run when
 * the virtual machine shuts down.
 *
 * <p>Read {@code RegistryThreads} first. The starter uses {@code RegistryThread} to recognise a thread that must not
 * block, and locking reads use {@code Futures}.
 */
@NullMarked
package io.dynamolock.internal.threads;

import org.jspecify.annotations.NullMarked;
