/** Where the DynamoDB of the locks is that runs in a container: of a test, or of Docker Compose. */
@NullMarked
package io.dynamolock.spring.autoconfigure.container;

import org.jspecify.annotations.NullMarked;
