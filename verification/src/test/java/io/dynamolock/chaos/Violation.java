package io.dynamolock.chaos;

/**
 * A broken promise.
 *
 * @param rule the rule that says so
 * @param at about when, in nanoseconds of the shared clock; {@link Attempt#NONE} if it has no time
 */
record Violation(String rule, String what, long at) {}
