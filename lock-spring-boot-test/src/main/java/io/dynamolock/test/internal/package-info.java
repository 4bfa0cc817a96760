/**
 * What {@code TestLocks} remembers for assertions: the locks that were granted or are held, and the methods
 * that were entered. Read {@link io.dynamolock.test.internal.MethodEntries} first. Not for applications.
 */
@NullMarked
package io.dynamolock.test.internal;

import org.jspecify.annotations.NullMarked;
