package io.dynamolock.chaos;

/**
 * A value that a reader read.
 *
 * @param at after the read
 * @param heldAfter the lock was still held after the read
 */
record RegisterRead(String attempt, String register, String value, long at, boolean heldAfter) {}
