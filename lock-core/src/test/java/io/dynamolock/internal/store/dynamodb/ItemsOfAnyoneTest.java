package io.dynamolock.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.SafeText;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Vigil;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Whatever somebody writes into the table is an item, or it is said to be none: in one line, which is not long. */
class ItemsOfAnyoneTest {

    private static final SessionId SESSION = SessionId.of(7);
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final int ROUNDS = 3_000;
    private static final int LARGEST_ITEM = 400_000;
    private static final int LONGEST_MESSAGE = 1_000;
    private static final String FORGED = "\n2026-11-21 ERROR\r\u0085\u2028\u2029\u202E all is well \"";

    private static final Map<String, AttributeValue> LOCK = Map.of(
            "pk", string("key"),
            "sk", string("default/"),
            "tail", number("1793000000000042"),
            "queue", AttributeValue.fromL(List.of(string("0000000007" + "1:2"))),
            "permits", number("3"),
            "data", AttributeValue.fromB(SdkBytes.fromUtf8String("data")),
            "puts", number("2"));

    private static final Map<String, AttributeValue> LIVING = Map.of(
            "pk", string("session#" + SESSION),
            "sk", string("session"),
            "beat", number("42"),
            "lease", string("PT20S"),
            "owner", string("orders@web-1:4711"),
            "beatAt", string("2026-11-21T10:01:10.042Z"),
            "disputes", AttributeValue.fromSs(List.of("1|default/key")),
            "evictions", AttributeValue.fromSs(List.of("1|2|3|default/key")),
            "keptUntil", string("2026-11-21T10:01:10.042Z"));

    private final LockItems locks = new LockItems(Tables.settings(""));
    private final SessionItems sessions = new SessionItems(new ItemKeys(Tables.settings("")));
    private final SplittableRandom random = new SplittableRandom(25);

    @Test
    void whatIsAsTheLocksWriteItIsRead() {
        assertThat(locks.read(LOCK).queue()).hasSize(1);
        SessionItem session = sessions.read(SESSION, LIVING).orElseThrow();
        assertThat(session.disputes()).hasSize(1);
        assertThat(session.evictions()).hasSize(1);
        assertThat(session.owner()).isEqualTo("orders@web-1:4711");
    }

    @Test
    void anyLockItemIsReadOrSaidToBeNone() {
        for (int round = 0; round < ROUNDS; round++) {
            Map<String, AttributeValue> item = changed(LOCK);
            LockItem lock = readOrRefused(() -> locks.read(item));
            if (lock != null) {
                assertThat(lock.queue()).hasSizeLessThanOrEqualTo(LockItem.MOST_BLOCKS);
                assertThat(lock.tail()).isNotNegative();
                assertThat(lock.permits()).isNotNegative();
                assertThat(lock.holders()).isNotNegative();
            }
        }
    }

    @Test
    void anySessionItemIsReadOrSaidToBeNone() {
        Vigil vigil = new Vigil(Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1));
        for (int round = 0; round < ROUNDS; round++) {
            Map<String, AttributeValue> item = changed(LIVING);
            SessionItem session =
                    readOrRefused(() -> sessions.read(SESSION, item).orElseThrow());
            if (session != null) {
                assertThat(vigil.left(session, Duration.ZERO)).isPositive();
                assertThat(vigil.isLongSilent(session, Instant.MIN)).isFalse();
                assertThat(session.disputes()).hasSizeLessThanOrEqualTo(SessionStep.Raise.MOST);
                assertThat(session.evictions()).hasSizeLessThanOrEqualTo(SessionStep.Evict.MOST);
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

        assertRefused(() -> locks.read(with(LOCK, "queue", AttributeValue.fromL(entries))), "10000 entries");
        List<AttributeValue> most = entries.subList(0, LockItem.MOST_BLOCKS);
        assertThat(locks.read(with(LOCK, "queue", AttributeValue.fromL(most))).queue())
                .hasSize(LockItem.MOST_BLOCKS);
    }

    @Test
    void anEntryOf300000CharactersMakesAShortMessageOfOneLine() {
        String entry = "0123456789" + FORGED + "x".repeat(300_000);

        assertRefused(
                () -> locks.read(with(LOCK, "queue", AttributeValue.fromL(List.of(string(entry))))),
                "not an entry of a queue: \"0123456789\\u000A2026-11-21 ERROR\\u000D\\u0085\\u2028\\u2029\\u202E all is well \\\"xxx");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "9223372036854775808", "1E+126", "0.5"})
    void aNumberThatNoStepLeavesIsRefused(String number) {
        assertRefused(() -> locks.read(with(LOCK, "tail", number(number))), "not a ticket: " + number);
        assertRefused(() -> locks.read(with(LOCK, "permits", number(number))), "not a number of permits: " + number);
        assertRefused(() -> sessions.read(SESSION, with(LIVING, "beat", number(number))), "session " + SESSION);
    }

    @Test
    void permitsThatWouldOverflowAreRefused() {
        assertRefused(() -> locks.read(with(LOCK, "permits", number("4294967297"))), "not a number of permits");
    }

    @Test
    void aSessionWithoutABeatIsNotAbsent() {
        Map<String, AttributeValue> item = new HashMap<>(LIVING);
        item.remove("beat");

        assertRefused(() -> sessions.read(SESSION, item), "the item of session " + SESSION);
        assertThat(sessions.read(SESSION, Map.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT9223372036854775807S", "PT0.4S", "P2D", "20 s", "PT20S" + FORGED})
    void aLeaseThatIsNoneIsRefused(String lease) {
        Map<String, AttributeValue> item = new HashMap<>(with(LIVING, "lease", string(lease)));
        item.remove("keptUntil");

        assertRefused(() -> sessions.read(SESSION, item), "the item of session " + SESSION);
    }

    @ParameterizedTest
    @ValueSource(strings = {"+1000000000-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59Z", "yesterday" + FORGED})
    void aTimeThatIsNoneIsRefused(String time) {
        assertRefused(() -> sessions.read(SESSION, with(LIVING, "beatAt", string(time))), "session " + SESSION);
        assertRefused(() -> sessions.read(SESSION, with(LIVING, "keptUntil", string(time))), "session " + SESSION);
    }

    @Test
    void anOwnerIsCutAndCleanedWhereItIsRead() {
        String owner = "web" + FORGED + "x".repeat(300_000);

        assertThat(read(with(LIVING, "owner", string(owner))).owner())
                .startsWith("web\uFFFD2026-11-21 ERROR\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD all")
                .hasSize(SafeText.MOST + 3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "01|default/key",
                "+1|default/key",
                "1|default/",
                "1 |default/key",
                "0|default/key",
                "|default/key"
            })
    void aDisputeThatIsNotCanonicalIsRefused(String dispute) {
        assertThat(read(with(LIVING, "disputes", AttributeValue.fromSs(List.of(dispute))))
                        .disputes())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "01|2|3|default/key",
                "1|02|3|default/key",
                "1|2|+3|default/key",
                "1|2|3|default/",
                "1|0|3|default/key"
            })
    void anEvictionThatIsNotCanonicalIsRefused(String eviction) {
        assertThat(read(with(LIVING, "evictions", AttributeValue.fromSs(List.of(eviction))))
                        .evictions())
                .isEmpty();
    }

    @Test
    void aDisputeAboutALockThatCannotBeIsRefused() {
        SessionItems prefixed = new SessionItems(new ItemKeys(Tables.settings("orders#")));
        Function<String, AttributeValue> about = key -> AttributeValue.fromSs(List.of("1|default/" + key));
        String longest = "k".repeat(2_048 - "orders#".length());

        assertThat(prefixed.read(SESSION, with(LIVING, "disputes", about.apply(longest)))
                        .orElseThrow()
                        .disputes())
                .hasSize(1);
        assertThat(prefixed.read(SESSION, with(LIVING, "disputes", about.apply(longest + "k")))
                        .orElseThrow()
                        .disputes())
                .isEmpty();
        AttributeValue namespace = AttributeValue.fromSs(List.of("1|" + "n".repeat(1_024) + "/key"));
        assertThat(read(with(LIVING, "disputes", namespace)).disputes()).isEmpty();
    }

    @Test
    void ofTenThousandDisputesAsManyCountAsOneSessionMayCarry() {
        List<String> disputes = IntStream.rangeClosed(1, 10_000)
                .mapToObj(number -> "1|default/" + number)
                .toList();

        assertThat(read(with(LIVING, "disputes", AttributeValue.fromSs(disputes)))
                        .disputes())
                .hasSize(SessionStep.Raise.MOST);
    }

    private SessionItem read(Map<String, AttributeValue> item) {
        return sessions.read(SESSION, item).orElseThrow();
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
            case 6 -> "1|default/" + "k".repeat(length());
            case 7 -> "1|2|" + random.nextLong() + "|default/key";
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
