/**
 * DynamoDB Local inside this process, for development and tests. Read {@link
 * io.dynamolock.test.embedded.EmbeddedDynamoDb} first. Applications set {@code dynamolock.store=embedded}, and may then
 * inject the {@code EmbeddedDynamoDb} bean.
 */
@NullMarked
package io.dynamolock.test.embedded;

import org.jspecify.annotations.NullMarked;
