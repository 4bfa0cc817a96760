package io.dynamolock.internal.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.LockEngine;
import io.dynamolock.internal.PausableEngine;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.engine.PooledEventLoop;
import io.dynamolock.internal.engine.Specs;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.engine.Unheard;
import io.dynamolock.internal.protocol.FailureDetection;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import io.dynamolock.internal.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/** Whatever somebody writes into the table is an item, or it is said to be none: in one line, which is not long. */
class ItemsOfAnyoneTest {

    private static final SessionId SESSION = SessionId.of(7);
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final int ROUNDS = 3_000;
    private static final int MOST_ENTRIES = 1_000;
    private static final int LARGEST_ITEM = 400_000;
    private static final int LONGEST_MESSAGE = 1_000;
    private static final String FORGED = "\n2026-11-21 ERROR\r\u0085\u2028\u2029\u202E all is well \"";

    private static final Map<String, AttributeValue> LOCK = Map.of(
            "pk", string("key"),
            "sk", string("default/"),
            "tail", number("1793000000000042"),
            "queue", AttributeValue.fromL(List.of(string("0000000007" + "1:2"))),
            "permits", number("3"),
            "data", AttributeValue.fromB(SdkBytes.fromUtf8String("data")));

    private static final Map<String, AttributeValue> LIVING = Map.of(
            "pk", string("session#" + SESSION),
            "sk", string("session"),
            "heartbeat", number("42"),
            "lease", string("PT20S"),
            "owner", string("orders@web-1:4711"),
            "heartbeatAt", string("2026-11-21T10:01:10.042Z"),
            "notices", AttributeValue.fromSs(List.of("?1|default/key", "!2|default/key")));

    private static final DynamoTableSettings ON_DYNAMODB = Tables.settings("anyone's " + UUID.randomUUID() + "#");
    private static final int LOCKS = 50;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ItemKeys table = new ItemKeys(ON_DYNAMODB);
    private final List<Throwable> escaped = new CopyOnWriteArrayList<>();
    private final LockEngine engine = new PausableEngine(
            new EngineSettings(
                    "test",
                    Duration.ofSeconds(30),
                    Duration.ofMillis(500),
                    Duration.ofMillis(100),
                    Duration.ofMillis(10),
                    Duration.ofSeconds(1),
                    Duration.ZERO,
                    Duration.ofMinutes(5),
                    Duration.ofSeconds(10),
                    20,
                    Tables.RETENTION,
                    200),
            new DynamoStore(new BlockingClient(EmbeddedDynamoDb.blockingClient()), ON_DYNAMODB, 20, CallThreads.pool()),
            watched(new PooledEventLoop("odd-items")),
            TimeSource.system(),
            new SplittableRandom(),
            new Unheard());
    private final SplittableRandom random = new SplittableRandom(25);

    @Test
    void whatIsAsTheLocksWriteItIsRead() {
        assertThat(lock(LOCK).queue()).hasSize(1);
        SessionItem session = session(LIVING).orElseThrow();
        assertThat(session.notices()).hasSize(2);
        assertThat(session.owner()).isEqualTo("orders@web-1:4711");
    }

    @Test
    void anyLockItemIsReadOrSaidToBeNone() {
        for (int round = 0; round < ROUNDS; round++) {
            Map<String, AttributeValue> item = changed(LOCK);
            LockItem lock = readOrRefused(() -> lock(item));
            if (lock != null) {
                assertThat(lock.queue()).hasSizeLessThanOrEqualTo(MOST_ENTRIES);
                assertThat(lock.tail()).isNotNegative();
                assertThat(lock.permits()).isNotNegative();
                assertThat(lock.holders()).isNotNegative();
            }
        }
    }

    @Test
    void anySessionItemIsReadOrSaidToBeNone() {
        FailureDetection detection = new FailureDetection(Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1));
        for (int round = 0; round < ROUNDS; round++) {
            Map<String, AttributeValue> item = changed(LIVING);
            SessionItem session = readOrRefused(() -> session(item).orElseThrow());
            if (session != null) {
                assertThat(detection.untilExpiry(session, Duration.ZERO)).isPositive();
                assertThat(detection.isLongSilent(session, Instant.MIN)).isFalse();
                assertThat(session.notices()).hasSizeLessThanOrEqualTo(SessionItem.MOST_NOTICES);
                assertThat(SafeText.isPlain(session.owner())).isTrue();
                assertThat(session.owner()).hasSizeLessThanOrEqualTo(SafeText.MOST + 3);
            }
        }
    }

    @Test
    void tenThousandEntriesAreRefusedForThatLockAlone() {
        List<AttributeValue> entries = IntStream.rangeClosed(1, 10_000)
                .mapToObj(number -> string(SessionId.of(number) + "1:1"))
                .toList();

        assertRefused(
                () -> lock(with(LOCK, "queue", AttributeValue.fromL(entries))), "not a list of at most 1000 entries");
        List<AttributeValue> most = entries.subList(0, MOST_ENTRIES);
        assertThat(lock(with(LOCK, "queue", AttributeValue.fromL(most))).queue())
                .hasSize(MOST_ENTRIES);
    }

    @Test
    void aSessionWithoutAHeartbeatIsNotAbsent() {
        Map<String, AttributeValue> item = new HashMap<>(LIVING);
        item.remove("heartbeat");

        assertRefused(() -> session(item), "the item of session " + SESSION);
        assertThat(session(Map.of())).isEmpty();
    }

    // On DynamoDB, with an engine

    @Test
    void whateverLiesUnderAKeyHarmsThatLockAloneAndAllThatIsAskedAboutItEnds() throws Exception {
        List<LockKey> odd = IntStream.range(0, LOCKS)
                .mapToObj(i -> new LockKey("odd-" + i, "default"))
                .toList();
        int changed = 0;
        for (LockKey key : odd) {
            SessionId ahead = SessionId.of(random.nextLong());
            AttributeValue queue = AttributeValue.fromL(List.of(string(ahead + "1:2"), string(ahead + "2=1")));
            changed += put(table.lock(key), changed(with(LOCK, "queue", queue)));
            put(table.session(ahead), random.nextBoolean() ? changed(LIVING) : Map.of());
        }
        assertThat(changed).as("items that DynamoDB takes").isGreaterThan(LOCKS / 2);

        Grant before = granted("untouched");
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (LockKey key : odd) {
            ends.add(engine.acquire(anyhow(key)).outcome().thenCompose(outcome -> released(key, outcome)));
            ends.add(engine.inspect(key));
        }
        ends.add(before.release(null));
        for (int i = 0; i < 30; i++) {
            ends.add(granted("untouched-" + i % 10).release(null));
        }
        odd.forEach(key -> ends.add(engine.evict(key, SessionId.of(1) + "1")));
        ends.add(engine.list(null, null));

        for (CompletableFuture<?> end : ends) {
            assertThat(end.<Throwable>handle((answer, failure) -> failure).get(60, TimeUnit.SECONDS))
                    .satisfiesAnyOf(
                            failure -> assertThat(failure).isNull(),
                            failure -> assertClear(DynamoFailures.unwrap(failure)));
        }
        engine.shutdown().get(60, TimeUnit.SECONDS);
        assertThat(escaped).isEmpty();
    }

    @Test
    void aTailAtTheEndOfAllNumbersHarmsThatLockAlone() throws Exception {
        granted("before");
        for (String tail : List.of("9223372036854775806", "9223372036854775800", "9223372036854770000")) {
            LockKey poisoned = new LockKey("tail-" + tail, "default");
            put(table.lock(poisoned), Map.of("tail", number(tail)));
            engine.acquire(Specs.of(poisoned, "test", Duration.ZERO, null, null))
                    .outcome()
                    .get(60, TimeUnit.SECONDS);

            assertThat(granted("new beside " + tail).ticket()).isLessThan(1L << 60);
        }
    }

    @BeforeEach
    void createTable() {
        Tables.createOnce("embedded", EmbeddedDynamoDb.client(), ON_DYNAMODB);
    }

    @AfterEach
    void stopEngine() {
        engine.shutdown();
    }

    private Grant granted(String key) throws Exception {
        AcquireOutcome outcome = engine.acquire(Specs.of(new LockKey(key, "default"), "test", MINUTE, null, null))
                .outcome()
                .get(60, TimeUnit.SECONDS);
        assertThat(outcome).isInstanceOf(AcquireOutcome.Granted.class);
        return ((AcquireOutcome.Granted) outcome).grant();
    }

    private AcquireSpec anyhow(LockKey key) {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        Duration wait = Duration.ofSeconds(random.nextInt(4));
        return Specs.of(key, "test", wait, null, null, kind, kind == Kind.PERMIT ? 3 : 0, random.nextInt(4) == 0);
    }

    /** Somebody changes the item once more before the release. */
    private CompletableFuture<?> released(LockKey key, AcquireOutcome outcome) {
        if (outcome instanceof AcquireOutcome.Granted granted) {
            return CompletableFuture.supplyAsync(() -> put(table.lock(key), LOCK))
                    .thenCompose(put -> granted.grant().release(null));
        }
        if (outcome instanceof AcquireOutcome.Failed failed) {
            assertClear(failed.cause());
        }
        return CompletableFuture.completedFuture(outcome);
    }

    private static void assertClear(Throwable failure) {
        assertThat(failure).isInstanceOf(StoreFailure.class).hasMessageNotContaining("The lock engine failed");
        assertThat(SafeText.isPlain(failure.getMessage()))
                .as(failure.getMessage())
                .isTrue();
        assertThat(failure.getMessage()).hasSizeLessThan(2 * LONGEST_MESSAGE);
    }

    /** @return how many items: DynamoDB takes not every one */
    private static int put(Map<String, AttributeValue> key, Map<String, AttributeValue> attributes) {
        Map<String, AttributeValue> item = new HashMap<>(attributes);
        item.putAll(key);
        try {
            EmbeddedDynamoDb.blockingClient()
                    .putItem(put -> put.tableName(ON_DYNAMODB.tableName()).item(item));
            return 1;
        } catch (DynamoDbException noItem) {
            return 0;
        }
    }

    /** An event loop that tells which exceptions leave its steps. */
    private EventLoop watched(EventLoop loop) {
        return new EventLoop() {
            @Override
            public boolean execute(Runnable step) {
                return loop.execute(watched(step));
            }

            @Override
            public Timer schedule(Runnable step, Duration delay) {
                return loop.schedule(watched(step), delay);
            }

            private Runnable watched(Runnable step) {
                return () -> {
                    try {
                        step.run();
                    } catch (Throwable thrown) {
                        escaped.add(thrown);
                        throw thrown;
                    }
                };
            }

            @Override
            public void shutdown() {
                loop.shutdown();
            }
        };
    }

    private static LockItem lock(Map<String, AttributeValue> item) {
        return LockItemCodec.read(item, "data");
    }

    private Optional<SessionItem> session(Map<String, AttributeValue> item) {
        return SessionItemCodec.read(SESSION, item);
    }

    private static <T> T readOrRefused(Supplier<T> read) {
        try {
            return read.get();
        } catch (MalformedItemException refused) {
            assertSafe(refused);
            return null;
        }
    }

    private static void assertRefused(Supplier<?> read, String why) {
        try {
            assertThat(read.get()).as("nothing").isNull();
        } catch (MalformedItemException refused) {
            assertThat(refused).hasMessageContaining(why);
            assertSafe(refused);
        }
    }

    private static void assertSafe(MalformedItemException refused) {
        assertThat(SafeText.isPlain(refused.getMessage()))
                .as(refused.getMessage())
                .isTrue();
        assertThat(refused.getMessage()).hasSizeLessThan(LONGEST_MESSAGE);
        assertThat(refused).as("a cause would be logged as well").hasNoCause();
    }

    private static Map<String, AttributeValue> with(
            Map<String, AttributeValue> item, String attribute, AttributeValue value) {
        Map<String, AttributeValue> other = new HashMap<>(item);
        other.put(attribute, value);
        return other;
    }

    /** One to three attributes are something else, or missing. */
    private Map<String, AttributeValue> changed(Map<String, AttributeValue> item) {
        Map<String, AttributeValue> other = new HashMap<>(item);
        List<String> attributes = new ArrayList<>(item.keySet());
        attributes.removeAll(List.of("pk", "sk"));
        Collections.sort(attributes);
        for (int i = random.nextInt(3); i >= 0; i--) {
            String attribute = attributes.get(random.nextInt(attributes.size()));
            if (random.nextInt(8) == 0) {
                other.remove(attribute);
            } else {
                other.put(attribute, value(2));
            }
        }
        return other;
    }

    private AttributeValue value(int depth) {
        return switch (random.nextInt(depth == 0 ? 6 : 10)) {
            case 0, 1 -> string(text());
            case 2 -> number(digits());
            case 3 -> AttributeValue.fromB(SdkBytes.fromByteArray(new byte[length()]));
            case 4 -> AttributeValue.fromBool(random.nextBoolean());
            case 5 -> AttributeValue.fromNul(true);
            case 6 ->
                AttributeValue.fromSs(
                        IntStream.range(0, few()).mapToObj(i -> text()).toList());
            case 7 ->
                AttributeValue.fromNs(
                        IntStream.range(0, few()).mapToObj(i -> digits()).toList());
            case 8 ->
                AttributeValue.fromL(IntStream.range(0, few())
                        .mapToObj(i -> value(depth - 1))
                        .toList());
            default -> AttributeValue.fromM(Map.of(FORGED, value(depth - 1)));
        };
    }

    private int few() {
        return random.nextInt(30) == 0 ? 2_000 : random.nextInt(4);
    }

    private int length() {
        return random.nextInt(500) == 0 ? LARGEST_ITEM : random.nextInt(30);
    }

    private String digits() {
        return (random.nextBoolean() ? "-" : "")
                + random.nextLong(Long.MAX_VALUE)
                + "9".repeat(random.nextInt(20))
                + (random.nextInt(4) == 0 ? "E+126" : "");
    }

    private String text() {
        return switch (random.nextInt(9)) {
            case 0 -> FORGED + "x".repeat(length());
            case 1 ->
                Duration.ofSeconds(random.nextLong(), random.nextInt(1_000_000_000))
                        .toString();
            case 2 -> Duration.ofMillis(random.nextInt(100_000_000)).toString();
            case 3 ->
                NOW.plusSeconds(random.nextLong(1L << random.nextInt(1, 52))).toString();
            case 4 -> (random.nextBoolean() ? Instant.MAX : Instant.MIN).toString();
            case 5 -> SessionId.of(random.nextLong()) + "1" + (random.nextBoolean() ? ":" : "=") + length();
            case 6 -> "?1|default/" + "k".repeat(length());
            case 7 -> "!" + SessionId.of(random.nextLong()) + "|default/key";
            default -> "";
        };
    }

    private static AttributeValue string(String text) {
        return AttributeValue.fromS(text);
    }

    private static AttributeValue number(String digits) {
        return AttributeValue.fromN(digits);
    }
}
