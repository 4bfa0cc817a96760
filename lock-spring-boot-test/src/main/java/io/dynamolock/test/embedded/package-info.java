/**
 * DynamoDB Local inside this process, for development and tests. Read {@link
 * io.dynamolock.test.embedded.EmbeddedDynamoDb} first. Applications inject that, and set {@code
 * dynamolock.store=embedded} to get it.
 */
@NullMarked
package io.dynamolock.test.embedded;

import org.jspecify.annotations.NullMarked;
