package io.dynamolock.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * The times of the faults; the same for the same seed. Each worker and the database have a sequence of their own, so
 * that faults of different targets overlap.
 */
final class Schedule {

    static final String DATABASE = "database";

    private static final Duration MIN_CALM = Duration.ofSeconds(1);
    private static final Duration MAX_CALM = Duration.ofSeconds(7);
    /** A fault of the database affects all workers. */
    private static final int DATABASE_CALM_FACTOR = 3;

    private Schedule() {}

    /** @param at how long after the start of the run */
    record Entry(Duration at, String target, Fault fault, Duration length) {}

    static List<Entry> of(long seed, List<String> workers, Duration length) {
        Random seeds = new Random(seed);
        List<Entry> entries = new ArrayList<>();
        for (String worker : workers) {
            add(entries, new Random(seeds.nextLong()), worker, length);
        }
        add(entries, new Random(seeds.nextLong()), DATABASE, length);
        entries.sort(Comparator.comparing(Entry::at));
        return List.copyOf(entries);
    }

    private static void add(List<Entry> entries, Random random, String target, Duration end) {
        boolean database = target.equals(DATABASE);
        Duration at = calm(random, database);
        while (at.compareTo(end) < 0) {
            Fault fault = Fault.any(random, database);
            Duration length = fault.anyDuration(random);
            if (at.plus(length).compareTo(end) < 0) {
                entries.add(new Entry(at, target, fault, length));
            }
            at = at.plus(length).plus(calm(random, database));
        }
    }

    private static Duration calm(Random random, boolean database) {
        long millis = MIN_CALM.toMillis()
                + random.nextInt((int) MAX_CALM.minus(MIN_CALM).toMillis());
        return Duration.ofMillis(database ? millis * DATABASE_CALM_FACTOR : millis);
    }
}
