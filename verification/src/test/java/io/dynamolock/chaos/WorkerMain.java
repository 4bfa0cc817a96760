package io.dynamolock.chaos;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRegistryBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * A process that reads and writes registers under locks until it is told to {@link #DRAIN drain}. Then each of its
 * threads gets every lock once more, and the process ends. On {@code SIGTERM} it closes its registry. It ends when the
 * process that started it ends.
 */
final class WorkerMain {

    /** What the harness tells a worker: to do its last work. */
    static final String DRAIN = "drain";

    /** What the harness tells a worker: the calls of no kind fail. The name of a kind says that its calls fail. */
    static final String ALL_CALLS_WORK = "all calls work";

    private WorkerMain() {}

    public static void main(String[] args) throws InterruptedException, IOException {
        WorkerSettings settings = WorkerSettings.of(args);
        HistoryFile history = new HistoryFile(settings.history(), settings.process());
        history.add("start pid=%s", ProcessHandle.current().pid());
        PartialFailures failures = new PartialFailures();
        DynamoDbAsyncClient client = Clients.usual(settings.endpoint(), failures);
        LockRegistryBuilder builder = LockRegistry.builder(client)
                .tableName(Registers.LOCKS)
                .owner(settings.process())
                .listener(new HistoryListener(history));
        LockRegistry locks = settings.apply(builder).build();
        AtomicBoolean closed = new AtomicBoolean();
        Thread closing = new Thread(() -> close(locks, history, closed));
        Runtime.getRuntime().addShutdownHook(closing);
        Registers registers = new Registers(Clients.impatient(settings.endpoint()));
        AtomicBoolean draining = new AtomicBoolean();
        listenToParent(draining, failures);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Worker.THREADS; i++) {
            Thread thread = new Thread(
                    new WorkerThread(settings, i, locks, registers, history, draining, closed), "worker-" + i);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (!closed.get()) {
            close(locks, history, closed);
            history.add("finished");
        }
        // The hook has nothing left to do.
        System.exit(0);
    }

    private static synchronized void close(LockRegistry locks, HistoryFile history, AtomicBoolean closed) {
        if (!closed.getAndSet(true)) {
            history.add("closing");
            locks.close();
            history.add("closed");
        }
    }

    private static void listenToParent(AtomicBoolean draining, PartialFailures failures) {
        Thread listener = new Thread(
                () -> {
                    try (BufferedReader input =
                            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                        for (String line = input.readLine(); line != null; line = input.readLine()) {
                            switch (line) {
                                case DRAIN -> draining.set(true);
                                case ALL_CALLS_WORK -> failures.set(null);
                                default -> failures.set(PartialFailures.Kind.valueOf(line));
                            }
                        }
                    } catch (IOException e) {
                        System.out.println(e);
                    }
                    Runtime.getRuntime().halt(1);
                },
                "parent");
        listener.setDaemon(true);
        listener.start();
    }
}
