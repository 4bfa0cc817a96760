package io.dynamolock.scale;

import io.dynamolock.scale.VirtualTable.Purpose;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The queue of "Distributed Locking in DynamoDB" (2020), written from its text: a number from an atomic counter, a row
 * under that number, a query every 500 ms until the own row is the first that has not expired, and an update of each
 * row's expiry every 30 s, 60 s ahead.
 *
 * <p>Kinder than the text: each key has a counter of its own, on a partition of its own, which exists already (its
 * example has one for all locks); all clocks agree; a failed call is as good as none and is made again.
 */
final class ArticleSystem implements LockSystem {

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration HEARTBEAT = Duration.ofSeconds(30);
    private static final Duration LIFE = Duration.ofSeconds(60);

    /** The query's {@code Limit}. */
    private static final int PAGE = 100;

    /** Two keys of 27 and 61 characters and two times, with their attributes' names. */
    private static final int ROW_BYTES = 130;

    private static final int READ_UNIT_BYTES = 4096;

    private final RetryingClient client;
    private final boolean[] dead;
    private final Map<String, Long> counters = new HashMap<>();
    /** When each row expires, by its number. */
    private final Map<String, NavigableMap<Long, Long>> queues = new HashMap<>();

    private final Map<Integer, Set<Waiter>> held = new HashMap<>();

    private record Counter(String key) {}

    ArticleSystem(VirtualTable table, int processes, long seed) {
        client = new RetryingClient(table, seed);
        dead = new boolean[processes];
    }

    @Override
    public void acquire(int process, String key, Consumer<Held> granted) {
        new Waiter(process, key, granted).takeNumber();
    }

    @Override
    public void kill(int process) {
        dead[process] = true;
    }

    /** It knows no closing; whoever stops in order ends its sections. */
    @Override
    public void close(int process) {
        List.copyOf(held.getOrDefault(process, Set.of())).forEach(waiter -> waiter.release(() -> {}));
    }

    @Override
    public boolean isAlive(int process) {
        return !dead[process];
    }

    private NavigableMap<Long, Long> queue(String key) {
        return queues.computeIfAbsent(key, absent -> new TreeMap<>());
    }

    private int queryUnits(String key) {
        int bytes = Math.min(PAGE, queue(key).size()) * ROW_BYTES;
        return Math.max(1, (bytes + READ_UNIT_BYTES - 1) / READ_UNIT_BYTES);
    }

    private final class Waiter implements Held {

        private final int process;
        private final String key;
        private final Consumer<Held> granted;
        private long number;
        private boolean released;

        Waiter(int process, String key, Consumer<Held> granted) {
            this.process = process;
            this.key = key;
            this.granted = granted;
        }

        void takeNumber() {
            ifAlive(() -> client.write(
                    Purpose.LOCK,
                    new Counter(key),
                    () -> counters.merge(key, 1L, Long::sum),
                    taken -> {
                        number = taken;
                        enter();
                    },
                    this::takeNumber));
        }

        private void enter() {
            ifAlive(() -> {
                long expiresAt = client.time().nanos() + LIFE.toNanos();
                client.write(
                        Purpose.LOCK,
                        key,
                        () -> queue(key).put(number, expiresAt),
                        entered -> {
                            client.time().in(HEARTBEAT, this::beat);
                            poll();
                        },
                        this::enter);
            });
        }

        private void beat() {
            if (released || dead[process]) {
                return;
            }
            long expiresAt = client.time().nanos() + LIFE.toNanos();
            client.write(Purpose.LIFE, key, () -> queue(key).replace(number, expiresAt), done -> {}, () -> {});
            client.time().in(HEARTBEAT, this::beat);
        }

        private void poll() {
            ifAlive(() -> client.read(
                    key,
                    () -> queryUnits(key),
                    this::isFirst,
                    first -> {
                        if (first && !dead[process]) {
                            held.computeIfAbsent(process, absent -> new HashSet<>())
                                    .add(this);
                            granted.accept(this);
                        } else {
                            pollLater();
                        }
                    },
                    this::pollLater));
        }

        private void pollLater() {
            client.time().in(POLL, this::poll);
        }

        private boolean isFirst() {
            long now = client.time().nanos();
            for (Map.Entry<Long, Long> row : queue(key).entrySet()) {
                if (row.getValue() >= now) {
                    return row.getKey() == number;
                }
            }
            return false;
        }

        @Override
        public void release(Runnable done) {
            released = true;
            held.getOrDefault(process, new HashSet<>()).remove(this);
            ifAlive(() -> client.write(
                    Purpose.LOCK,
                    key,
                    () -> queue(key).remove(number) != null,
                    any -> done.run(),
                    () -> release(done)));
        }

        private void ifAlive(Runnable step) {
            if (!dead[process]) {
                step.run();
            }
        }
    }
}
