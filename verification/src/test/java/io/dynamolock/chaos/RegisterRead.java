package io.dynamolock.chaos;

/**
 * What a reader read, with no write in mind.
 *
 * @param at after the read
 * @param heldAfter the lock was still held after the read
 */
record RegisterRead(String attempt, String register, String value, long at, boolean heldAfter) {}
