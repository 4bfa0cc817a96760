/**
 * For tests of applications with locks. Read {@link io.dynamolock.test.TestLocks} first, then {@link
 * io.dynamolock.test.DynamoLockTest}, the slice that brings it. Tests use the public types; the auto-configuration is
 * public only because Spring Boot's convention wants that.
 */
@NullMarked
package io.dynamolock.test;

import org.jspecify.annotations.NullMarked;
