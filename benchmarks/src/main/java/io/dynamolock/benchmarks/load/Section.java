package io.dynamolock.benchmarks.load;

/**
 * One turn with the lock; times are of {@link System#nanoTime}.
 *
 * @param process the number of the process, from 0
 * @param allowedTogether how many may hold the lock at a time while this one does
 * @param asked when the lock was asked for
 * @param granted when the lock was granted
 * @param releasing when its release began
 * @param released when its release had ended
 */
record Section(int process, int allowedTogether, long asked, long granted, long releasing, long released) {}
