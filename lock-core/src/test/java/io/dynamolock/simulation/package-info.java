/** The real engine in simulated processes, on a seeded virtual clock and a store that breaks. */
@NullMarked
package io.dynamolock.simulation;

import org.jspecify.annotations.NullMarked;
