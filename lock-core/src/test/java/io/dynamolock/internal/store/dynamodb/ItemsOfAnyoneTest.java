package io.dynamolock.internal.store.dynamodb;

import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.FailureDetection;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.StoreFailure.Unreadable;
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
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Whatever somebody writes into the table is an item, or it is said to be none: in one line, which is not long. */
class ItemsOfAnyoneTest {

    private static final SessionId SESSION = SessionId.of(7);
    private static final FormatGate GATE = new FormatGate("dynamolock:format");
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

    private final SplittableRandom random = new SplittableRandom(25);

    @Test
    void aWellFormedItemIsRead() {
        assertThat(lock(LOCK).queue()).hasSize(1);
        SessionItem session = session(LIVING).orElseThrow();
        assertThat(session.notices()).hasSize(2);
        assertThat(session.owner()).isEqualTo("orders@web-1:4711");
    }

    @Test
    void anyLockItemIsReadOrReportedAsMalformed() {
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
    void anySessionItemIsReadOrReportedAsMalformed() {
        FailureDetection detection = new FailureDetection(Duration.ofDays(1), Duration.ofDays(1));
        for (int round = 0; round < ROUNDS; round++) {
            Map<String, AttributeValue> item = changed(LIVING);
            SessionItem session = readOrRefused(() -> session(item).orElseThrow());
            if (session != null) {
                assertThat(detection.untilExpiry(session, Duration.ZERO)).isPositive();
                assertThat(detection.isLongSilent(session, Instant.MIN, Instant.MIN))
                        .isFalse();
                assertThat(session.notices()).hasSizeLessThanOrEqualTo(SessionItem.MOST_NOTICES);
                assertThat(SafeText.isPlain(session.owner())).isTrue();
                assertThat(session.owner()).hasSizeLessThanOrEqualTo(SafeText.MOST + 3);
            }
        }
    }

    @Test
    void aQueueOfTenThousandEntriesIsRefusedForItsLockAlone() {
        List<AttributeValue> entries = IntStream.rangeClosed(1, 10_000)
                .mapToObj(number -> string(SessionId.of(number) + "1:1"))
                .toList();

        assertRefused(
                () -> lock(with(LOCK, "queue", AttributeValue.fromL(entries))), "not a list of at most 1000 entries");
        List<AttributeValue> most = entries.subList(0, MOST_ENTRIES);
        assertThat(lock(with(LOCK, "queue", AttributeValue.fromL(most))).queue())
                .hasSize(MOST_ENTRIES);
    }

    /** Such a time must neither keep anybody from the lock nor stay for ever. */
    @Test
    void aTtlThatNoEditHasWrittenCountsAsNone() {
        assertThat(lock(with(LOCK, "expiresAt", AttributeValue.fromN("253402300799")))
                        .expiresAt())
                .isEqualTo(Instant.parse("9999-12-31T23:59:59Z"));
        for (AttributeValue odd : List.of(
                AttributeValue.fromN("-1"),
                AttributeValue.fromN("1.5"),
                AttributeValue.fromN("253402300800"),
                AttributeValue.fromN("1E125"),
                AttributeValue.fromS("2026-01-01T00:00:00Z"),
                AttributeValue.fromBool(true))) {
            assertThat(lock(with(LOCK, "expiresAt", odd)).expiresAt())
                    .as("%s", odd)
                    .isNull();
        }
    }

    @Test
    void aSessionWithoutAHeartbeatIsNotAbsent() {
        Map<String, AttributeValue> item = new HashMap<>(LIVING);
        item.remove("heartbeat");

        assertRefused(() -> session(item), "the item of session " + SESSION);
        assertThat(session(Map.of())).isEmpty();
    }

    @Test
    void aFormatIsReadBeforeAnythingElseOfTheItem() {
        Map<String, AttributeValue> lock = with(with(LOCK, "tail", string("x")), GATE.attribute(), number("1"));
        Map<String, AttributeValue> session = with(with(LIVING, "lease", number("1")), GATE.attribute(), number("2"));

        assertThat(thrown(UnreadableItemException.class, () -> lock(lock), "a lock item has format 1")
                        .what())
                .isEqualTo(new Unreadable(Unreadable.Item.LOCK, Unreadable.Reason.FORMAT));
        assertThat(thrown(UnreadableItemException.class, () -> session(session), SESSION + " has format 2")
                        .what())
                .isEqualTo(new Unreadable(Unreadable.Item.SESSION, Unreadable.Reason.FORMAT));
        assertRefused(() -> lock(with(LOCK, GATE.attribute(), number("1" + FORGED))), "has format 1");
        assertRefused(() -> lock(with(LOCK, GATE.attribute(), string("1"))), "not a number");
        assertRefused(() -> lock(with(LOCK, GATE.attribute(), number("0"))), "has format 0");
    }

    private static LockItem lock(Map<String, AttributeValue> item) {
        return LockItemCodec.read(item, "data", "expiresAt", GATE);
    }

    private Optional<SessionItem> session(Map<String, AttributeValue> item) {
        return SessionItemCodec.read(SESSION, item, GATE);
    }

    private static <T> T readOrRefused(Supplier<T> read) {
        try {
            return read.get();
        } catch (UnreadableItemException refused) {
            assertSafe(refused);
            return null;
        }
    }

    private static void assertRefused(Supplier<?> read, String why) {
        assertSafe(thrown(UnreadableItemException.class, read::get, why));
    }

    private static void assertSafe(UnreadableItemException refused) {
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
