package io.dynamolock.internal.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class BoundedTest {

    private final Queue<Runnable> threads = new ArrayDeque<>();
    private boolean hasRoom = true;
    private final Executor pool = task -> {
        if (!hasRoom) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        threads.add(task);
    };
    private final Bounded bounded = new Bounded(2, pool);
    private final List<Integer> done = new ArrayList<>();

    @Test
    void runsAtMostTheAllowedNumberAtOnceAndTheOthersInOrder() {
        begin(1, 2, 3, 4);
        assertThat(threads).hasSize(2);

        runAll();

        assertThat(done).containsExactly(1, 2, 3, 4);
    }

    @Test
    void aWaitingTaskRunsEvenIfNoFurtherThreadCanBeStarted() {
        begin(1, 2, 3, 4);
        hasRoom = false;

        runAll();
        assertThat(done).containsExactly(1, 2, 3, 4);

        hasRoom = true;
        begin(5);
        runAll();
        assertThat(done).as("nothing is left behind").endsWith(5);
    }

    private void begin(int... tasks) {
        for (int task : tasks) {
            bounded.execute(() -> done.add(task));
        }
    }

    private void runAll() {
        for (Runnable thread = threads.poll(); thread != null; thread = threads.poll()) {
            thread.run();
        }
    }
}
