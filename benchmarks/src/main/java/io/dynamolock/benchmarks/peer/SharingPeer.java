package io.dynamolock.benchmarks.peer;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.LockView;
import io.dynamolock.LockedAction;
import io.dynamolock.ReadWriteLocks;
import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The lock of this project, shared by several holders. */
final class SharingPeer implements Peer {

    private static final int WRITER_OF = 10;
    private static final int PERMITS = 4;
    private static final int NO_LIMIT = Integer.MAX_VALUE;

    private final String id;
    private final String title;
    private final String setUp;
    private final Turns turns;

    private SharingPeer(String id, String title, String setUp, Turns turns) {
        this.id = id;
        this.title = title;
        this.setUp = setUp;
        this.turns = turns;
    }

    static SharingPeer readers() {
        return new SharingPeer(
                "dynamolock-readers",
                "DynamoLock, 90 % readers",
                "As DynamoLock. One turn in " + WRITER_OF
                        + ", by a dice that falls alike in every run, takes the write side"
                        + " of readWrite(key), all others the read side.",
                SharingPeer::readOrWrite);
    }

    static SharingPeer permits() {
        return new SharingPeer(
                "dynamolock-permits",
                "DynamoLock, " + PERMITS + " permits",
                "As DynamoLock. Each turn takes one of permits(key, " + PERMITS + ").",
                (registry, key, dice) -> new Turn(registry.permits(key, PERMITS), PERMITS));
    }

    private static Turn readOrWrite(LockRegistry registry, String key, Random dice) {
        ReadWriteLocks sides = registry.readWrite(key);
        return dice.nextInt(WRITER_OF) == 0 ? new Turn(sides.write(), 1) : new Turn(sides.read(), NO_LIMIT);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public String setUp() {
        return setUp;
    }

    @Override
    public List<String> keyAttributes() {
        return List.of("pk", "sk");
    }

    @Override
    public LockProcess start(Database database, String table, String name, CallMeter meter) {
        DynamoDbClient client = database.clientWithoutRetries(meter);
        LockRegistry registry =
                LockRegistry.builder(client).tableName(table).owner(name).build();
        return new Instance(client, registry, turns, new Random(name.hashCode()));
    }

    /** How the next turn takes the lock. */
    private interface Turns {

        Turn next(LockRegistry registry, String key, Random dice);
    }

    private record Turn(LockView view, int allowedTogether) {}

    private record Instance(DynamoDbClient client, LockRegistry registry, Turns turns, Random dice)
            implements LockProcess {

        @Override
        public @Nullable HeldLock acquire(String key, Duration wait) {
            Turn turn = turns.next(registry, key, dice);
            try {
                return new DynamoLockPeer.Held(turn.view().acquire(wait), turn.allowedTogether());
            } catch (LockTimeoutException notInTime) {
                return null;
            }
        }

        @Override
        public Ended section(String key, Duration wait, Work work) throws InterruptedException {
            Turn turn = turns.next(registry, key, dice);
            LockedAction<Ended, InterruptedException> action = lock -> {
                work.run(turn.allowedTogether());
                return Ended.WELL;
            };
            return DynamoLockPeer.ended(
                    () -> registry.withLock(turn.view().request().waitTime(wait), action));
        }

        @Override
        public void close() {
            registry.close();
            client.close();
        }
    }
}
