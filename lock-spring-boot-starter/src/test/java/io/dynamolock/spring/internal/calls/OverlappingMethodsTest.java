package io.dynamolock.spring.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockRegistry;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.AspectContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two applications call methods with random sets of the same few locks: all calls get them, and none runs beside
 * another.
 */
class OverlappingMethodsTest {

    private static final int CALLERS_OF_AN_APPLICATION = 3;
    private static final int CALLS_OF_A_CALLER = 20;
    private static final List<String> KEYS = List.of("a", "b", "c", "d", "e");

    private final InMemoryLockStore table = new InMemoryLockStore();
    private final List<AspectContext> applications = List.of(application("here"), application("there"));
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();

    private AspectContext application(String owner) {
        LockRegistry locks = RegistryBuilder.of(table)
                .owner(owner)
                .pollInterval(Duration.ofMillis(2), Duration.ofMillis(20))
                .build();
        return new AspectContext(locks, Work.class);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        applications.forEach(AspectContext::close);
    }

    static class Work {

        @DynamoLocked(key = "#keys")
        @DynamoLocked(
                keys = {"#first", "#second"},
                namespace = "other")
        public int run(List<String> keys, String first, String second, Callable<Integer> body) throws Exception {
            return body.call();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void nobodyWaitsInACircleAndNoneRunsBesideAnother(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        List<Future<Integer>> callers = new ArrayList<>();
        for (AspectContext application : applications) {
            Work work = application.bean(Work.class);
            for (int i = 0; i < CALLERS_OF_AN_APPLICATION; i++) {
                SplittableRandom own = random.split();
                callers.add(threads.submit(() -> call(work, own)));
            }
        }
        int most = 0;
        for (Future<Integer> caller : callers) {
            most = Math.max(most, caller.get(90, TimeUnit.SECONDS));
        }
        assertThat(most).as("methods under a lock at one time").isOne();
    }

    private int call(Work work, SplittableRandom random) throws Exception {
        int most = 0;
        for (int i = 0; i < CALLS_OF_A_CALLER; i++) {
            List<String> keys = someOf(random);
            List<String> others = someOf(random);
            List<String> locks = new ArrayList<>(keys);
            locks.add("other/" + others.get(0));
            locks.add("other/" + others.get(1));
            most = Math.max(most, work.run(keys, others.get(0), others.get(1), () -> under(locks)));
        }
        return most;
    }

    private int under(List<String> locks) {
        int most = 0;
        for (String lock : locks) {
            most = Math.max(most, runningUnder(lock).incrementAndGet());
        }
        Thread.yield();
        locks.forEach(lock -> runningUnder(lock).decrementAndGet());
        return most;
    }

    private AtomicInteger runningUnder(String lock) {
        return running.computeIfAbsent(lock, absent -> new AtomicInteger());
    }

    /** Two or three of them in any order. */
    private static List<String> someOf(SplittableRandom random) {
        List<String> keys = new ArrayList<>(KEYS);
        for (int i = keys.size() - 1; i > 0; i--) {
            Collections.swap(keys, i, random.nextInt(i + 1));
        }
        return List.copyOf(keys.subList(0, random.nextInt(2, 4)));
    }
}
