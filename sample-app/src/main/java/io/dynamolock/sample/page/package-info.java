/**
 * The page that shows a queue: two instances of the service on one table, and what a person has them do. Read
 * {@link io.dynamolock.sample.page.PageController} first, which has a method for each button, then
 * {@link io.dynamolock.sample.page.Stage}. Nothing outside needs this package.
 */
@NullMarked
package io.dynamolock.sample.page;

import org.jspecify.annotations.NullMarked;
