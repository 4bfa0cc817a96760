package io.dynamolock.lockingread;

import io.dynamolock.internal.engine.TimeSource;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What tests replace.
 *
 * @param executor goes on after a pause where no thread waits for it
 */
record Surroundings(TimeSource time, RandomGenerator random, Pauses pauses, Executor executor) {}
