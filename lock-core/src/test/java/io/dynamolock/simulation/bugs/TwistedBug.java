package io.dynamolock.simulation.bugs;

import io.dynamolock.simulation.Simulation;
import io.dynamolock.simulation.Twist;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bug in what the engine has around it: the rules of the table, its store, its settings, its clocks, its loop.
 *
 * @param twist makes the bug anew for each seed, for it may remember something
 */
record TwistedBug(String name, Supplier<Twist> twist, String danger, long foundBy) implements Bug {

    @Override
    public LongFunction<@Nullable String> simulation() {
        return seed -> Simulation.run(seed, twist.get()).violation();
    }

    @Override
    public String toString() {
        return name;
    }
}
