/**
 * What operators see and do: {@code DefaultLockAdmin} shows a registry and its locks, {@code LockHealth} judges whether
 * locks can be had, and {@code DynamoLockTable} creates, checks and deletes the table.
 *
 * <p>Each can be read by itself. Of other modules, only those for Spring Boot use something here: {@code LockHealth}.
 */
@NullMarked
package io.dynamolock.internal.admin;

import org.jspecify.annotations.NullMarked;
