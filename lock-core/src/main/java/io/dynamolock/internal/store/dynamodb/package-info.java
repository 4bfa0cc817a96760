/**
 * The store on a DynamoDB table: items as attributes, edits as expressions, and what failed calls mean. No type of the
 * AWS SDK leaves this package, except in the fences that users put into their own transactions.
 *
 * <p>Outside of it, the code that builds a registry, creates the table or makes fenced calls uses {@code DynamoStore},
 * {@code BlockingClient}, {@code CallThreads}, {@code ConnectionLimit}, {@code DynamoTableSettings} and {@code
 * DynamoFailures}. Read {@link io.dynamolock.internal.store.dynamodb.DynamoStore} first, then {@code EditExpression}
 * for how an edit becomes one conditional write.
 */
@NullMarked
package io.dynamolock.internal.store.dynamodb;

import org.jspecify.annotations.NullMarked;
