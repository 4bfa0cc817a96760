/** Stores that wrap another one for tests: they count calls, or break them. */
@NullMarked
package io.dynamolock.internal.store.testing;

import org.jspecify.annotations.NullMarked;
