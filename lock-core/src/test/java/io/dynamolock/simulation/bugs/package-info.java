/** Deliberate bugs, one at a time, that the simulator has to find: the proof that it can fail. */
@NullMarked
package io.dynamolock.simulation.bugs;

import org.jspecify.annotations.NullMarked;
