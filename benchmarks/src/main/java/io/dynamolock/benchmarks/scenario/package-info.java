/**
 * The scenarios: what is measured, with which peers, against which targets. Each is a {@link
 * io.dynamolock.benchmarks.scenario.Scenario}; read {@link io.dynamolock.benchmarks.scenario.Uncontended} first, the
 * simplest.
 */
@NullMarked
package io.dynamolock.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
