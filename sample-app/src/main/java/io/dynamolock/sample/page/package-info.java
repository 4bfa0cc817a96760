/** The page that shows a queue: two instances of the service on one table, and what a person has them do. */
@NullMarked
package io.dynamolock.sample.page;

import org.jspecify.annotations.NullMarked;
