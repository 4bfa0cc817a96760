package io.dynamolock.internal.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Random histories of edits on DynamoDB Local, in memory, and by the rules, side by side: each answer must be the same.
 * {@code -Dedits=100000} plays more of them, {@code -Dedits.seed=...} the same ones again.
 */
class EditsOnDynamoDbTest {

    private static final int EDITS = Integer.getInteger("edits", 10_000);
    private static final long SEED = Long.getLong("edits.seed", System.nanoTime());
    private static final int HISTORIES = 8;
    private static final int EDITS_OF_ONE_ITEM = 60;

    private final List<LockStore> stores = List.of(
            new DynamoStore(
                    EmbeddedDynamoDb.client(), Tables.settings("edits#"), DynamoStore.SENDERS, CallThreads.pool()),
            new DynamoStore(
                    new BlockingClient(EmbeddedDynamoDb.blockingClient()),
                    Tables.settings("edits#"),
                    HISTORIES,
                    CallThreads.pool()));
    private final InMemoryLockStore memory = new InMemoryLockStore();

    /** No two runs on the same table meet. */
    private final String run = UUID.randomUUID().toString();

    private final Set<String> outcomes = ConcurrentHashMap.newKeySet();

    @Test
    void randomEditsHaveTheSameEffectOnDynamoDbInMemoryAndByTheRules() throws Exception {
        System.out.println("EditsOnDynamoDbTest: -Dedits=" + EDITS + " -Dedits.seed=" + SEED);
        Tables.createOnce("embedded", EmbeddedDynamoDb.client(), Tables.settings("edits#"));
        ExecutorService threads = Executors.newFixedThreadPool(HISTORIES);
        try {
            List<Future<?>> histories = IntStream.range(0, HISTORIES)
                    .<Future<?>>mapToObj(number -> threads.submit(() -> new History(number).play()))
                    .toList();
            for (Future<?> history : histories) {
                history.get();
            }
        } finally {
            threads.shutdownNow();
        }
        for (String edit :
                List.of("append", "append+remove", "remove", "reissue", "Begin", "Heartbeat", "Expire", "Notify")) {
            assertThat(outcomes).as("and what refuses it").contains(edit + " applied", edit + " refused");
        }
        assertThat(outcomes).contains("append+reissue applied", "append+remove+reissue applied", "End applied");
        assertThat(outcomes).as("all parts at once").contains("append+remove+reissue+data applied");
    }

    private final class History {

        private final int number;
        private final Random random;
        private LockKey key = new LockKey("", "");
        private LockItem lock = LockItem.ABSENT;
        private SessionId id = SessionId.of(0);
        private Optional<SessionItem> session = Optional.empty();
        private long numbers;

        History(int number) {
            this.number = number;
            this.random = new Random(SEED + number);
        }

        void play() {
            for (int i = 0; i < EDITS / HISTORIES; i++) {
                if (i % EDITS_OF_ONE_ITEM == 0) {
                    key = new LockKey(run + number + "-" + i + (random.nextBoolean() ? "|/#ü" : ""), "default");
                    lock = LockItem.ABSENT;
                    id = SessionId.of(UUID.randomUUID().getLeastSignificantBits());
                    session = Optional.empty();
                }
                LockStore store = stores.get(random.nextInt(stores.size()));
                String what = "seed " + SEED + ", history " + number + ", edit " + i + ": ";
                if (random.nextInt(3) > 0) {
                    editLock(store, what);
                } else {
                    editSession(store, what);
                }
                if (random.nextInt(8) == 0) {
                    assertThat(answerOf(store.read(key, random.nextBoolean())).content())
                            .as(what + "read")
                            .isEqualTo(lock);
                    assertThat(answerOf(store.sessions(Set.of(id))).content())
                            .as(what + "read")
                            .isEqualTo(Map.of(id, session));
                }
            }
        }

        private void editLock(LockStore store, String what) {
            Edit edit = randomEdit();
            Answer<LockItem> expected = edit.on(lock);
            assertThat(answerOf(store.edit(key, edit, Instant.EPOCH)).at(null))
                    .as("%s%s on %s", what, edit, lock)
                    .isEqualTo(expected);
            assertThat(answerOf(memory.edit(key, edit, Instant.EPOCH)).at(null))
                    .as("%sin memory, %s on %s", what, edit, lock)
                    .isEqualTo(expected);
            lock = expected.item();
            outcomes.add(partsOf(edit) + (expected.isApplied() ? " applied" : " refused"));
        }

        private static String partsOf(Edit edit) {
            List<String> parts = new ArrayList<>();
            if (!edit.appended().isEmpty()) {
                parts.add("append");
            }
            if (!edit.removed().isEmpty()) {
                parts.add("remove");
            }
            if (edit.reissue() != null) {
                parts.add("reissue");
            }
            if (edit.data() != null) {
                parts.add("data");
            }
            return String.join("+", parts);
        }

        private Edit randomEdit() {
            int size = lock.queue().size();
            boolean mayBeWrong = random.nextInt(5) == 0;
            TreeMap<Integer, Entry> removed = new TreeMap<>();
            Edit.Reissue reissue = null;
            for (int i = 0; i < size; i++) {
                Entry there = mayBeWrong && random.nextBoolean()
                        ? randomEntry()
                        : lock.queue().get(i);
                int dice = random.nextInt(5);
                if (dice < 2) {
                    removed.put(i, there);
                } else if (dice == 2 && reissue == null) {
                    reissue = new Edit.Reissue(i, there, randomEntry());
                }
            }
            List<Entry> appended = IntStream.range(0, random.nextInt(4))
                    .mapToObj(each -> randomEntry())
                    .toList();
            int permits = random.nextInt(4) == 0 ? random.nextInt(1, 3) : 0;
            return new Edit(
                    removed,
                    reissue,
                    appended,
                    random.nextInt(appended.size(), appended.size() + 9),
                    permits,
                    random.nextBoolean() && (lock.exists() || mayBeWrong),
                    random.nextInt(3) == 0 ? LockData.of("d".repeat(random.nextInt(3))) : null,
                    permits == 0 && random.nextInt(9) == 0 ? random.nextInt(1, 5) : 0,
                    random.nextLong(1, 1L << 52),
                    // The first edit sets a time, because DynamoDB gives one to an item that has none.
                    lock.exists() && random.nextBoolean()
                            ? null
                            : Instant.ofEpochSecond(random.nextLong(100_000, 1L << 32)));
        }

        private Entry randomEntry() {
            Mode mode = Mode.values()[random.nextInt(3)];
            return random.nextInt(9) == 0
                    ? new Entry.Kept(mode, Instant.ofEpochMilli(random.nextLong(1L << 42)))
                    : new Entry.OfSession(SessionId.of(random.nextLong()), ++numbers, mode, random.nextInt(1, 4096));
        }

        private void editSession(LockStore store, String what) {
            SessionEdit edit = randomSessionEdit();
            Answer<Optional<SessionItem>> expected = edit.on(session);
            assertThat(answerOf(store.edit(id, edit, Instant.EPOCH)).at(null))
                    .as("%s%s on %s", what, edit, session)
                    .isEqualTo(expected);
            assertThat(answerOf(memory.edit(id, edit, Instant.EPOCH)).at(null))
                    .as("%sin memory, %s", what, edit)
                    .isEqualTo(expected);
            session = expected.item();
            outcomes.add(edit.getClass().getSimpleName() + (expected.isApplied() ? " applied" : " refused"));
        }

        private SessionEdit randomSessionEdit() {
            long beat = session.map(SessionItem::heartbeat).orElse(0L);
            Instant at = Instant.ofEpochMilli(random.nextLong(1L << 42));
            return switch (random.nextInt(20)) {
                case 0 -> new SessionEdit.End();
                case 1, 2 -> new SessionEdit.Expire(beat + random.nextInt(2));
                case 3, 4, 5, 6 -> new SessionEdit.Begin(Duration.ofMillis(random.nextInt(500, 86_400_001)), "me", at);
                case 7, 8, 9 -> {
                    Set<String> heard = new HashSet<>();
                    session.ifPresent(item -> item.notices().stream().limit(3).forEach(heard::add));
                    yield new SessionEdit.Heartbeat(beat + random.nextInt(3), heard, at);
                }
                default ->
                    new SessionEdit.Notify(
                            new Notice(Notice.Wish.values()[random.nextInt(2)], key, random.nextLong(1, 30)));
            };
        }
    }

    private static <T> T answerOf(CompletionStage<T> stage) {
        return Objects.requireNonNull(
                stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join());
    }
}
