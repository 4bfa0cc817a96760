/**
 * A bounded map, {@link io.dynamolock.internal.collection.RecentlyUsed}. Every internal room may use it, and it uses
 * none of them.
 */
@NullMarked
package io.dynamolock.internal.collection;

import org.jspecify.annotations.NullMarked;
