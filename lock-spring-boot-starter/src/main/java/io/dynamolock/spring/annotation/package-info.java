/**
 * The annotations that applications use, and the events that they receive: {@link
 * io.dynamolock.spring.annotation.DynamoLocked}, {@link io.dynamolock.spring.annotation.DynamoLeader} and {@link
 * io.dynamolock.spring.annotation.EnableDynamoLocks}, their exceptions and events, and {@link
 * io.dynamolock.spring.annotation.CurrentLock} for the body of a locked method. All public types are for applications.
 * Read {@link io.dynamolock.spring.annotation.DynamoLocked} first.
 */
@NullMarked
package io.dynamolock.spring.annotation;

import org.jspecify.annotations.NullMarked;
