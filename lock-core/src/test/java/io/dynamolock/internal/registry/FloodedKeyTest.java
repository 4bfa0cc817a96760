package io.dynamolock.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockEvent;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * By a real clock: what a crowd of callers of one key does to the other users of a process. Runs only if it is told how
 * many callers there are, as by {@code -Dflood.callers=60000}, because a busy machine makes it slow.
 */
@EnabledIfSystemProperty(named = "flood.callers", matches = "\\d+")
class FloodedKeyTest {

    private static final int CALLERS = Integer.getInteger("flood.callers", 40_000);
    private static final Duration WAIT = Duration.ofMillis(1_500);

    @Test
    void callersOfOtherKeysGetTheirLocksAndTheSessionStaysWhileACrowdTimesOut() throws Exception {
        InMemoryLockStore table = new InMemoryLockStore();
        List<LockEvent> heard = new CopyOnWriteArrayList<>();
        try (LockRegistry others = RegistryBuilder.of(table).owner("there").build();
                LockRegistry locks = RegistryBuilder.of(table)
                        .owner("here")
                        .lease(Duration.ofSeconds(10))
                        .listener(event -> {
                            if (event instanceof LockEvent.SessionLost) {
                                heard.add(event);
                            }
                        })
                        .build();
                LockHandle taken = others.acquire(LockRequest.of("flooded"))) {
            List<CompletableFuture<LockHandle>> crowd = new ArrayList<>();
            Duration longest = Duration.ZERO;
            for (int i = 0; i < CALLERS; i++) {
                crowd.add(locks.acquireAsync(LockRequest.of("flooded").waitTime(WAIT)));
                if (i % 1_000 == 0) {
                    longest = longer(longest, timeToGetAnotherKey(locks));
                }
            }
            CompletableFuture<Void> end = CompletableFuture.allOf(crowd.toArray(CompletableFuture[]::new));
            while (!end.isDone()) {
                longest = longer(longest, timeToGetAnotherKey(locks));
                Thread.sleep(5);
            }

            if (Boolean.getBoolean("flood.print")) {
                System.out.println(CALLERS + " callers: another key has waited for up to " + longest);
            }
            assertThat(longest).isLessThan(Duration.ofSeconds(3));
            assertThat(heard).as("losses of the session").isEmpty();
            assertThat(taken.isValid()).isTrue();
        }
    }

    private static Duration timeToGetAnotherKey(LockRegistry locks) {
        long before = System.nanoTime();
        locks.acquire(LockRequest.of("another").waitTime(Duration.ofMinutes(1))).close();
        return Duration.ofNanos(System.nanoTime() - before);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }
}
