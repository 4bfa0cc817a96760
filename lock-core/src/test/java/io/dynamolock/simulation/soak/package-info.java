/** The simulator for as long as one likes, and what it has covered by then. */
@NullMarked
package io.dynamolock.simulation.soak;

import org.jspecify.annotations.NullMarked;
