package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Runs the simulation with one seed after another, on all cores, for as long as {@code -Dsoak=PT20M} says or until a
 * promise is broken. The first seed is {@code -Dsoak.first}, by default a random one.
 */
@EnabledIfSystemProperty(named = "soak", matches = "P.*")
class SoakTest {

    private static final long FIRST = Long.getLong("soak.first", 1_000_000L * new SecureRandom().nextInt(1, 1_000_000));

    @Test
    void keepsItsPromisesForAsLongAsItRuns() throws InterruptedException {
        long end =
                System.nanoTime() + Duration.parse(System.getProperty("soak")).toNanos();
        AtomicLong next = new AtomicLong(FIRST);
        Queue<String> broken = new ConcurrentLinkedQueue<>();
        List<Thread> players = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            Thread player = new Thread(() -> {
                while (broken.isEmpty() && System.nanoTime() - end < 0) {
                    String brokenPromise = TraceRecorder.broken(next.getAndIncrement(), new Rules());
                    if (brokenPromise != null) {
                        broken.add(brokenPromise);
                    }
                }
            });
            player.start();
            players.add(player);
        }
        for (Thread player : players) {
            player.join();
        }
        System.out.println(next.get() - FIRST + " seeds from " + FIRST + " on");
        assertThat(broken).isEmpty();
    }
}
