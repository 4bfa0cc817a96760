package io.dynamolock.internal.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    @Test
    void aTaskThatIsWithdrawnDoesNotRunAndLeavesItsPlaceToOthers() {
        Runnable withThread = () -> done.add(2);
        Runnable withoutThread = () -> done.add(3);
        begin(1);
        bounded.execute(withThread);
        bounded.execute(withoutThread);
        begin(4);

        bounded.withdraw(withoutThread);
        bounded.withdraw(withThread);
        runAll();

        assertThat(done).containsExactly(1, 4);
        begin(5, 6, 7);
        assertThat(threads).hasSize(2);
        runAll();
        assertThat(done).endsWith(5, 6, 7);
    }

    @Test
    void aTaskForWhichThereIsNoThreadLeavesItsPlaceToOthers() {
        hasRoom = false;
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> begin(1)).isInstanceOf(OutOfMemoryError.class);
        }

        hasRoom = true;
        begin(2, 3);
        runAll();
        assertThat(done).containsExactly(2, 3);
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
