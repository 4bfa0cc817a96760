/** DynamoDB Local inside this process, for development and tests. */
@NullMarked
package io.dynamolock.spring.embedded;

import org.jspecify.annotations.NullMarked;
