/**
 * Races between two threads, repeated by jcstress. Read {@link io.dynamolock.concurrency.StressCase} first. The races
 * themselves lie in the packages of the classes that they test, and their names end with {@code Stress}.
 */
package io.dynamolock.concurrency;
