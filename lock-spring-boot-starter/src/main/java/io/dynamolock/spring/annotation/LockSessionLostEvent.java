package io.dynamolock.spring.annotation;

/**
 * Published to the application context when the session of this process in the table was lost, and all locks with it.
 * Each lost lock has its own {@link LockLostEvent}. Callers that wait go on waiting under a new session.
 *
 * @param session the id of the session
 */
public record LockSessionLostEvent(String session) {}
