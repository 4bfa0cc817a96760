/**
 * Many orders of one customer at the same moment, and their outcome with each kind of lock. Read
 * {@link io.dynamolock.sample.rush.Rush} first. The page has rushes of its own, and shares
 * {@link io.dynamolock.sample.rush.OneRush} with this package.
 */
@NullMarked
package io.dynamolock.sample.rush;

import org.jspecify.annotations.NullMarked;
