package io.dynamolock.chaos;

/**
 * A promise that was broken.
 *
 * @param rule which
 * @param at around when, in nanoseconds of the shared clock; {@link Attempt#NONE} if at no special time
 */
record Violation(String rule, String what, long at) {}
