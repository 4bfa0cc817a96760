package io.dynamolock.benchmarks.peer;

import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The ticket queue of Michael P. Scott's article "Distributed Locking in DynamoDB" (Formidable, 30 June 2020). */
final class ArticlePeer implements Peer {

    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration HEARTBEAT = Duration.ofSeconds(30);
    private static final int HEARTBEAT_THREADS = 32;

    @Override
    public String id() {
        return "article";
    }

    @Override
    public String title() {
        return "Ticket queue (from its article)";
    }

    @Override
    public String setUp() {
        return "Written from the article: a read every 500 ms, rows that live for 60 s by the wall clock and are"
                + " refreshed every 30 s, by 32 threads. A clean stop deletes the rows of this process.";
    }

    @Override
    public List<String> keyAttributes() {
        return List.of("pk", "sk");
    }

    @Override
    public LockProcess start(Database database, String table, String name, CallMeter meter) {
        DynamoDbClient client = database.client(meter);
        ScheduledThreadPoolExecutor heartbeats = new ScheduledThreadPoolExecutor(HEARTBEAT_THREADS, task -> {
            Thread thread = new Thread(task, "article-heartbeat");
            thread.setDaemon(true);
            return thread;
        });
        heartbeats.setRemoveOnCancelPolicy(true);
        return new Instance(client, new ArticleQueue(client, table), heartbeats, ConcurrentHashMap.newKeySet());
    }

    private record Instance(
            DynamoDbClient client, ArticleQueue queue, ScheduledThreadPoolExecutor heartbeats, Set<Place> places)
            implements LockProcess {

        @Override
        public @Nullable HeldLock acquire(String key, Duration wait) throws InterruptedException {
            String row = queue.takeNumber();
            queue.enter(key, row);
            Place place = new Place(this, key, row);
            places.add(place);
            HeldLock held = null;
            try {
                held = Poll.until(() -> queue.isFirst(key, row) ? place : null, LOOK, wait);
                return held;
            } finally {
                if (held == null) {
                    place.release();
                }
            }
        }

        @Override
        public void close() {
            places.forEach(Place::release);
            heartbeats.shutdownNow();
            client.close();
        }
    }

    /** A row in the queue, refreshed by heartbeats until the lock is released. */
    private static final class Place implements LockProcess.HeldLock {

        private final Instance owner;
        private final String key;
        private final String row;
        private final Runnable stopHeartbeat;

        Place(Instance owner, String key, String row) {
            this.owner = owner;
            this.key = key;
            this.row = row;
            var heartbeat = owner.heartbeats.scheduleAtFixedRate(
                    () -> owner.queue.refresh(key, row),
                    HEARTBEAT.toMillis(),
                    HEARTBEAT.toMillis(),
                    TimeUnit.MILLISECONDS);
            this.stopHeartbeat = () -> heartbeat.cancel(false);
        }

        @Override
        public boolean release() {
            stopHeartbeat.run();
            if (owner.places.remove(this)) {
                owner.queue.leave(key, row);
            }
            return true;
        }
    }
}
