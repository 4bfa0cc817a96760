/**
 * Handles on grants, and the words of users for what the engine says: {@code Requests} turns a user's request into the
 * engine's, and {@code Failures} turns the engine's outcomes into exceptions.
 *
 * <p>Read {@code GrantHandle} first. Nothing here is for other modules.
 */
@NullMarked
package io.dynamolock.internal.handles;

import org.jspecify.annotations.NullMarked;
