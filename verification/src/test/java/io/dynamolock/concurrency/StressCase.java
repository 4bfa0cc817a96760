package io.dynamolock.concurrency;

import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A race and its permitted outcomes.
 *
 * @param races makes a new race for each repetition
 * @param outcomes the permitted outcomes; every other one is forbidden
 */
public record StressCase(String name, Supplier<Race<?>> races, Set<String> outcomes) {

    /** @param course describes what the two threads of a race do */
    public static <R extends Race<?>> StressCase of(
            String name, Supplier<R> races, Consumer<R> course, String... outcomes) {
        return new StressCase(
                name,
                () -> {
                    R race = races.get();
                    course.accept(race);
                    return race;
                },
                Set.of(outcomes));
    }
}
