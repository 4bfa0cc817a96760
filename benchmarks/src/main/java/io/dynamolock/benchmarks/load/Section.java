package io.dynamolock.benchmarks.load;

/**
 * One turn with the lock; times are of {@link System#nanoTime}.
 *
 * @param process who it was, counted from 0
 * @param allowedTogether how many may hold the lock at a time while this one does
 * @param asked when the lock was asked for
 * @param granted when it was had
 * @param releasing when its release began
 * @param released when its release had ended
 */
record Section(int process, int allowedTogether, long asked, long granted, long releasing, long released) {}
