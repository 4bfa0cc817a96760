/** DynamoDB Local inside this process, for development and tests. */
@NullMarked
package io.dynamolock.test.embedded;

import org.jspecify.annotations.NullMarked;
