/**
 * One answer at a time in each conversation, over all instances: the recipe of {@code docs/conversations.md}. Read
 * {@link io.dynamolock.sample.conversations.Conversations} first. Nothing outside calls this package.
 */
@NullMarked
package io.dynamolock.sample.conversations;

import org.jspecify.annotations.NullMarked;
