package io.dynamolock.simulation.soak;

import io.dynamolock.simulation.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/** Plays one seed after the other on several threads, up to the first that breaks a promise. Thread-safe. */
final class Soak {

    private final BranchCoverage coverage = new BranchCoverage();
    private final LongFunction<Map.Entry<Map<String, Long>, String>> player;
    private final long first;
    private final AtomicLong next;
    private final long begun = System.nanoTime();
    private final Map<String, Long> covered = new TreeMap<>();
    private final List<String> broken = new ArrayList<>();

    @SuppressWarnings("unchecked")
    Soak(long first) {
        this.first = first;
        this.next = new AtomicLong(first);
        try {
            player = (LongFunction<Map.Entry<Map<String, Long>, String>>) coverage.classes()
                    .loadClass(PlayedSeed.class.getName())
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Plays on this thread until it is enough, or a seed has broken a promise. */
    void playUntil(BooleanSupplier enough) {
        while (!enough.getAsBoolean() && broken().isEmpty()) {
            long seed = next.getAndIncrement();
            try {
                Map.Entry<Map<String, Long>, String> played = player.apply(seed);
                add(played.getKey(), played.getValue());
            } catch (RuntimeException | Error failure) {
                add(Map.of(), "seed " + seed + " cannot be played: " + failure);
                throw failure;
            }
        }
    }

    private synchronized void add(Map<String, Long> counts, String violation) {
        counts.forEach((name, count) -> covered.merge(name, count, Long::sum));
        if (!violation.isEmpty()) {
            broken.add(violation);
        }
    }

    /** The seeds that broke a promise, each with its history and the command that replays it. */
    synchronized List<String> broken() {
        return List.copyOf(broken);
    }

    synchronized long seeds() {
        return covered.getOrDefault("seeds", 0L);
    }

    /** What was covered so far, in some lines. */
    synchronized String summary() {
        StringBuilder text = new StringBuilder("After %,d s, seeds from %d on, %s; %d broke a promise%n"
                .formatted(
                        Duration.ofNanos(System.nanoTime() - begun).toSeconds(),
                        first,
                        coverage.summary(),
                        broken.size()));
        covered.forEach((name, count) -> text.append("%,16d %s%n".formatted(count, name)));
        for (FaultKind fault : FaultKind.values()) {
            if (!covered.containsKey("fault " + fault)) {
                text.append("%16d fault %s%n".formatted(0, fault));
            }
        }
        return text.toString();
    }

    /** What was covered, and what was not. */
    String report() {
        return summary() + coverage.report();
    }
}
