/** Locks in this process's memory, for tests. */
@NullMarked
package io.dynamolock.internal.store.memory;

import org.jspecify.annotations.NullMarked;
