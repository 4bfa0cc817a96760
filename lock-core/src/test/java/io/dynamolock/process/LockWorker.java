package io.dynamolock.process;

import io.dynamolock.DynamoLocks;
import io.dynamolock.LockEvent;
import io.dynamolock.LockHandle;
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
    private final Map<String, LockHandle> handles = new ConcurrentHashMap<>();

    private LockWorker(LockRegistry locks) {
        this.locks = locks;
    }

    /** @param args the endpoint, the table of the locks, the owner's name */
    public static void main(String[] args) throws IOException {
        DynamoDbAsyncClient client =
                EmbeddedDynamoDb.clientAt(URI.create(args[0])).build();
        LockRegistry locks = DynamoLocks.builder(client)
                .tableName(args[1])
                .owner(args[2])
                .lease(LEASE)
                .heartbeat(HEARTBEAT)
                .listener(event -> {
                    if (event instanceof LockEvent.SessionLost lost) {
                        say("session-lost", "-", lost.session());
                    }
                })
                .build();
        // As the starter does when its application context closes.
        Runtime.getRuntime().addShutdownHook(new Thread(locks::close, "close-locks"));
        LockWorker worker = new LockWorker(locks);
        say("ready", args[2], "");
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
            case "pause" -> {
                locks.pause();
                say("paused", id, locks.session().isEmpty());
            }
            case "resume" -> {
                locks.resume();
                say("resumed", id, true);
            }
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
            say("granted", id, handle.fencingToken());
        });
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
}
