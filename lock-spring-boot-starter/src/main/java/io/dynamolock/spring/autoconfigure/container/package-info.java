/**
 * Connections to DynamoDB Local and LocalStack that Testcontainers or Docker Compose have started. Nothing here is for
 * applications: Spring Boot finds these classes by {@code spring.factories}. Read {@code LocalDynamoDb} first, which
 * both factories share.
 */
@NullMarked
package io.dynamolock.spring.autoconfigure.container;

import org.jspecify.annotations.NullMarked;
