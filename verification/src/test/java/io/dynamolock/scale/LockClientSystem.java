package io.dynamolock.scale;

import io.dynamolock.scale.VirtualTable.Purpose;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm of the AWS DynamoDB lock client 1.4, written from its description, with its defaults: a consistent get,
 * then a put on condition that the lock is absent or, if its version number has been seen unchanged for a lease of
 * 20 s, still at that version; else another get a second later. One thread for each process sends the heartbeats of all
 * held locks one after the other, every 5 s. A release deletes the item.
 *
 * <p>Kinder than its defaults: a wait never ends (theirs ends after a lease and a second).
 */
final class LockClientSystem implements LockSystem {

    private static final Duration REFRESH = Duration.ofSeconds(1);
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    private final RetryingClient client;
    private final Process[] processes;
    private final Map<String, Long> versions = new HashMap<>();
    private long lastVersion;

    LockClientSystem(VirtualTable table, int processes, long seed) {
        client = new RetryingClient(table, seed);
        this.processes = new Process[processes];
        for (int i = 0; i < processes; i++) {
            Process process = new Process();
            this.processes[i] = process;
            client.time().in(HEARTBEAT.multipliedBy(i).dividedBy(processes), process::beat);
        }
    }

    @Override
    public void acquire(int process, String key, Consumer<Held> granted) {
        new Waiter(processes[process], key, granted).look();
    }

    @Override
    public void kill(int process) {
        processes[process].dead = true;
    }

    @Override
    public void close(int process) {
        Process closing = processes[process];
        closing.closing = true;
        closing.releaseNext(new ArrayDeque<>(closing.held));
    }

    @Override
    public boolean isAlive(int process) {
        return !processes[process].dead;
    }

    private static final class Lock {

        private final String key;
        private long version;
        private boolean beating;
        private @Nullable Runnable afterBeat;

        Lock(String key, long version) {
            this.key = key;
            this.version = version;
        }

        void beaten() {
            beating = false;
            Runnable waiting = afterBeat;
            afterBeat = null;
            if (waiting != null) {
                waiting.run();
            }
        }
    }

    private final class Process {

        private final Set<Lock> held = new LinkedHashSet<>();
        private boolean dead;
        private boolean closing;

        void beat() {
            if (!dead && !closing) {
                beatNext(new ArrayDeque<>(held), client.time().nanos());
            }
        }

        private void beatNext(Queue<Lock> rest, long begun) {
            Lock lock = rest.poll();
            if (dead || closing) {
                return;
            }
            if (lock == null) {
                Duration taken = Duration.ofNanos(client.time().nanos() - begun);
                client.time().in(HEARTBEAT.minus(taken), this::beat);
            } else if (held.contains(lock)) {
                long seen = lock.version;
                long next = ++lastVersion;
                lock.beating = true;
                client.write(
                        Purpose.LIFE,
                        lock.key,
                        () -> versions.replace(lock.key, seen, next),
                        beaten -> {
                            if (beaten) {
                                lock.version = next;
                            }
                            lock.beaten();
                            beatNext(rest, begun);
                        },
                        () -> {
                            lock.beaten();
                            beatNext(rest, begun);
                        });
            } else {
                beatNext(rest, begun);
            }
        }

        void releaseNext(Queue<Lock> rest) {
            Lock lock = rest.poll();
            if (lock != null) {
                release(lock, () -> releaseNext(rest));
            }
        }

        void release(Lock lock, Runnable done) {
            if (dead) {
                return;
            }
            held.remove(lock);
            if (lock.beating) {
                // The client takes one step at a time for each lock.
                lock.afterBeat = () -> release(lock, done);
                return;
            }
            client.write(
                    Purpose.LOCK,
                    lock.key,
                    () -> versions.remove(lock.key, lock.version),
                    any -> done.run(),
                    () -> release(lock, done));
        }
    }

    private final class Waiter {

        private final Process process;
        private final String key;
        private final Consumer<Held> granted;
        private long observed;
        private long observedAt;

        Waiter(Process process, String key, Consumer<Held> granted) {
            this.process = process;
            this.key = key;
            this.granted = granted;
        }

        void look() {
            if (!process.dead) {
                client.read(key, () -> versions.get(key), this::looked, this::lookLater);
            }
        }

        private void lookLater() {
            client.time().in(REFRESH, this::look);
        }

        private void looked(@Nullable Long version) {
            if (process.dead) {
                return;
            }
            long now = client.time().nanos();
            if (version == null) {
                put(null);
            } else if (observed == version && now - observedAt > LEASE.toNanos()) {
                put(version);
            } else {
                if (observed != version) {
                    observed = version;
                    observedAt = now;
                }
                lookLater();
            }
        }

        private void put(@Nullable Long expected) {
            long mine = ++lastVersion;
            client.write(
                    Purpose.LOCK,
                    key,
                    () -> expected == null
                            ? versions.putIfAbsent(key, mine) == null
                            : versions.replace(key, expected, mine),
                    won -> {
                        if (won && !process.dead) {
                            Lock lock = new Lock(key, mine);
                            process.held.add(lock);
                            granted.accept(done -> process.release(lock, done));
                        } else {
                            lookLater();
                        }
                    },
                    this::lookLater);
        }
    }
}
