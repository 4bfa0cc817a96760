package io.dynamolock.simulation.soak;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Plays one seed after the other until it is stopped or a promise is broken, and tells every minute and at the end what it
 * has covered: see {@code docs/proof.md}. System properties: {@code simulation.soak} switches it on and says for how long
 * (as {@code PT20M}; without a value until it is stopped), {@code simulation.first} is the first seed, by default a random
 * one, and {@code simulation.threads} on how many threads.
 */
@EnabledIfSystemProperty(named = SimulationSoak.PROPERTY, matches = ".*")
class SimulationSoak {

    static final String PROPERTY = "simulation.soak";
    private static final Duration FOR_EVER = Duration.ofDays(10_000);
    private static final Duration LENGTH = Optional.ofNullable(System.getProperty(PROPERTY))
            .filter(text -> text.startsWith("P"))
            .map(Duration::parse)
            .orElse(FOR_EVER);
    private static final long FIRST_SEED =
            Long.getLong("simulation.first", 1_000_000L * (1 + new SecureRandom().nextInt(1_000_000)));
    private static final int THREADS =
            Integer.getInteger("simulation.threads", Runtime.getRuntime().availableProcessors());
    private static final Duration BETWEEN_REPORTS = Duration.ofMinutes(1);
    private static final Path LAST_REPORT = Path.of("target", "simulation-soak.txt");

    @Test
    void keepsItsPromisesForAsLongAsItRuns() throws InterruptedException {
        Soak soak = new Soak(FIRST_SEED);
        // Whoever stops it by hand finds the last report there.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> save(soak.report())));
        long end = System.nanoTime() + LENGTH.toNanos();
        List<Thread> players = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread player = new Thread(() -> soak.playUntil(() -> System.nanoTime() - end >= 0), "soak " + i);
            player.start();
            players.add(player);
        }
        for (Thread player : players) {
            while (player.isAlive()) {
                player.join(BETWEEN_REPORTS.toMillis());
                if (player.isAlive()) {
                    System.out.println(soak.summary());
                }
            }
        }
        System.out.println(soak.report());
        if (!soak.broken().isEmpty()) {
            fail(String.join("\n", soak.broken()));
        }
    }

    private static void save(String report) {
        try {
            Files.writeString(LAST_REPORT, report);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
