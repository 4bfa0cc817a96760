/**
 * For tests of applications with locks. Read {@link io.dynamolock.test.TestLocks} first, then {@link
 * io.dynamolock.test.DynamoLockTest}, the test slice with a {@code TestLocks} bean. Tests use the public types; the
 * auto-configuration is public only because Spring Boot's convention says so.
 */
@NullMarked
package io.dynamolock.test;

import org.jspecify.annotations.NullMarked;
