package io.dynamolock.process;

import io.dynamolock.DynamoLocks;
import io.dynamolock.LeaderElection;
import io.dynamolock.LeaderListener;
import io.dynamolock.Leadership;
import io.dynamolock.LockEvent;
import io.dynamolock.LockHandle;
import io.dynamolock.LockListener;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * A process of its own that locks as it is told, line by line. Every answer and every event is a line
 * {@code @ nanoTime what id details}. It ends when its input ends, and closes its registry when it is asked to
 * terminate.
 */
final class LockWorker {

    static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration HEARTBEAT = Duration.ofSeconds(1);

    private final LockRegistry locks;
    private final FencedItems items;
    private final Map<String, LockHandle> handles = new ConcurrentHashMap<>();
    private final Map<String, LeaderElection> elections = new ConcurrentHashMap<>();
    private final Map<String, Long> tokens = new ConcurrentHashMap<>();

    private LockWorker(LockRegistry locks, FencedItems items) {
        this.locks = locks;
        this.items = items;
    }

    /** @param args the endpoint, the table of the locks, the table of the fenced items, the owner's name */
    public static void main(String[] args) throws IOException {
        DynamoDbAsyncClient client =
                EmbeddedDynamoDb.clientAt(URI.create(args[0])).build();
        LockRegistry locks = DynamoLocks.builder(client)
                .tableName(args[1])
                .owner(args[3])
                .lease(LEASE)
                .heartbeat(HEARTBEAT)
                .listener(new Reporter())
                .build();
        // As the starter does when its application context closes.
        Runtime.getRuntime().addShutdownHook(new Thread(locks::close, "close-locks"));
        LockWorker worker = new LockWorker(locks, new FencedItems(client, args[2]));
        say("ready", args[3], "");
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                worker.obey(line.split(" "));
            }
        }
        System.exit(0);
    }

    private void obey(String[] words) {
        String id = words[1];
        switch (words[0]) {
            case "acquire" -> acquire(id, words[2]);
            case "release" -> say("released", id, handle(id).release());
            case "valid" -> say("valid", id, handle(id).isValid());
            case "pause" -> {
                locks.pause();
                say("paused", id, locks.session().isEmpty());
            }
            case "resume" -> {
                locks.resume();
                say("resumed", id, true);
            }
            case "elect" -> elections.put(id, locks.elect(words[2], new Leader(id)));
            case "is-leader" -> say("is-leader", id, elections.get(id).isLeader());
            case "yield" -> elections.get(id).yield();
            case "write" -> say("wrote", id, write(id, words[2]));
            case "overwrite" -> say("overwrote", id, write(id, words[2]));
            default -> throw new IllegalArgumentException(String.join(" ", words));
        }
    }

    private void acquire(String id, String key) {
        locks.acquireAsync(LockRequest.of(key).name(id).waitForever()).whenComplete((handle, failure) -> {
            if (failure != null) {
                say("failed", id, failure);
                return;
            }
            handles.put(id, handle);
            tokens.put(id, handle.fencingToken());
            handle.onLost(() -> say("told-of-loss", id, handle.isValid()));
            say("granted", id, handle.fencingToken());
        });
    }

    /** Does not ask whether the lock is still held: the fence must protect against those who do not. */
    private boolean write(String id, String item) {
        return items.write(item, tokens.get(id), id);
    }

    private LockHandle handle(String id) {
        LockHandle handle = handles.get(id);
        if (handle == null) {
            throw new IllegalStateException("nothing was granted to " + id);
        }
        return handle;
    }

    private static void say(String what, String id, Object details) {
        synchronized (System.out) {
            System.out.println("@ " + System.nanoTime() + " " + what + " " + id + " " + details);
            System.out.flush();
        }
    }

    /** Tells what one candidate hears. */
    private final class Leader implements LeaderListener {

        private final String id;

        Leader(String id) {
            this.id = id;
        }

        @Override
        public void granted(Leadership leadership) {
            tokens.put(id, leadership.fencingToken());
            say("leads", id, leadership.fencingToken());
        }

        @Override
        public void revoked(Leadership leadership) {
            say("revoked", id, leadership.isValid());
        }

        @Override
        public void resigned(Leadership leadership) {
            say("resigned", id, leadership.isValid());
        }
    }

    /** Tells what the registry's listener hears; the callers' ids are the names of their requests. */
    private static final class Reporter implements LockListener {

        @Override
        public void heard(LockEvent event) {
            if (event instanceof LockEvent.Queued queued) {
                say("queued", queued.name(), queued.fencingToken());
            } else if (event instanceof LockEvent.Lost lost) {
                say("lost", lost.name(), lost.fencingToken());
            } else if (event instanceof LockEvent.SessionLost lost) {
                say("session-lost", "-", lost.session());
            }
        }
    }
}
