package io.dynamolock.spring;

/**
 * This process's session in the table was lost, and with it all locks that it held, each of which has a {@link LockLostEvent} of
 * its own; published to the application context. Its callers wait on under a new session.
 *
 * @param session the id of the session
 */
public record LockSessionLostEvent(String session) {}
