package io.dynamolock.benchmarks.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Threads that do numbered tasks. A number always belongs to the same thread, because some locks belong to a thread.
 */
final class Crew implements AutoCloseable {

    private final List<ExecutorService> threads;

    Crew(int size) {
        this.threads =
                Stream.generate(Executors::newSingleThreadExecutor).limit(size).toList();
    }

    /** One of many tasks. */
    interface Step {

        /** @return whether it went well */
        boolean go(int number) throws InterruptedException;
    }

    /** @return how many went well */
    int each(int count, Step step) throws InterruptedException {
        List<Future<Boolean>> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            steps.add(threads.get(i % threads.size()).submit(() -> step.go(number)));
        }
        int well = 0;
        @Nullable Throwable failure = null;
        for (Future<Boolean> done : steps) {
            try {
                well += done.get() ? 1 : 0;
            } catch (ExecutionException e) {
                failure = e.getCause();
            }
        }
        if (failure != null) {
            System.err.println((count - well) + " of " + count + " did not go well, the last: " + failure);
        }
        return well;
    }

    @Override
    public void close() {
        threads.forEach(ExecutorService::shutdownNow);
    }
}
