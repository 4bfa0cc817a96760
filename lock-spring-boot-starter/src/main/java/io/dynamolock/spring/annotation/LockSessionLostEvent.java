package io.dynamolock.spring.annotation;

/**
 * Published to the application context when this process's session in the table was lost, and with it all locks that it
 * held. Each of these has a {@link LockLostEvent} of its own. Callers that wait go on waiting under a new session.
 *
 * @param session the id of the session
 */
public record LockSessionLostEvent(String session) {}
