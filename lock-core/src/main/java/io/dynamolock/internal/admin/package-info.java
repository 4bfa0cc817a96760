/**
 * What operators see and do: {@code DefaultLockAdmin} shows a registry and its locks, and {@code DynamoLockTable}
 * creates, checks and deletes the table.
 *
 * <p>Each can be read by itself. Nothing here is for other modules.
 */
@NullMarked
package io.dynamolock.internal.admin;

import org.jspecify.annotations.NullMarked;
