/**
 * What applications write and hear: {@link io.dynamolock.spring.annotation.DynamoLocked}, {@link
 * io.dynamolock.spring.annotation.DynamoLeader} and {@link io.dynamolock.spring.annotation.EnableDynamoLocks}, the
 * exceptions and events that go with them, and {@link io.dynamolock.spring.annotation.CurrentLock} for the body of a
 * locked method. All public types are for applications. Read {@link io.dynamolock.spring.annotation.DynamoLocked}
 * first.
 */
@NullMarked
package io.dynamolock.spring.annotation;

import org.jspecify.annotations.NullMarked;
