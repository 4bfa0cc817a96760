package io.dynamolock.spring.annotation;

/**
 * Published to the application context when this process has begun a session in the table, and can hold locks from now
 * on.
 *
 * @param session the id of the session
 */
public record LockSessionStartedEvent(String session) {}
