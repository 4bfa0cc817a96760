package io.dynamolock.spring;

/**
 * This process has a session in the table, so that it can hold locks; published to the application context.
 *
 * @param session the id of the session
 */
public record LockSessionStartedEvent(String session) {}
