package io.dynamolock.internal.store.dynamodb;

import static io.dynamolock.internal.protocol.Edits.BASE;
import static io.dynamolock.internal.protocol.Edits.append;
import static io.dynamolock.internal.protocol.Edits.permits;
import static io.dynamolock.internal.protocol.Edits.reissue;
import static io.dynamolock.internal.protocol.Edits.remove;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Edits;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.utils.BinaryUtils;

/**
 * The items of the first format, as they lie in users' tables: this version reads each golden item as it was meant, and
 * the same edits write the same attributes. The README beside the golden items says what to do if this test fails.
 */
class GoldenItemsTest {

    private static final DynamoTableSettings SETTINGS = new DynamoTableSettings(
            "locks-golden",
            "",
            "pk",
            "sk",
            "expiresAt",
            "data",
            "dynamolock:format",
            Duration.ofDays(7),
            Duration.ofSeconds(20));
    private static final FormatGate GATE = new FormatGate(SETTINGS.formatAttribute());

    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07.123456789Z");
    private static final Instant EXPIRES_AT = NOW.plus(Duration.ofDays(8)).truncatedTo(ChronoUnit.SECONDS);
    private static final Instant LATER = Instant.parse("2026-03-04T05:06:17Z");
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final String OWNER = "orders@web-1:4711";
    private static final int QUEUE = 200;

    private static final SessionId ONE = new SessionId("k3J9x2LmQa");
    private static final SessionId TWO = new SessionId("0000000007");
    private static final Instant KEPT_UNTIL = Instant.parse("2026-03-04T05:06:37Z");
    private static final LockData DATA = LockData.of("caf\u00e9");

    /** What {@code sha256sum *.json} says in the folder of the golden items. A line may be added, and none changed. */
    private static final String CHECKSUMS = """
            ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356  lock-absent.json
            6217a85488401246a2940a0cfd6e9f02cec5ab2de2c15319fb4b0dafc6e5a1d9  lock-data.json
            77844552e81cc97d66bcf4efb02820e7bee4bd7443ec87a4c85477083691049e  lock-empty.json
            d12ef6aacc04c9c66acae8865481ab4394e48abf779a0298a8e5c27ada5f533c  lock-exclusive.json
            b7fc835d99e5ed5499d5fcf6502674f3968501e8e856f0bcc64cc9c416f165a7  lock-kept-permit.json
            8d800c93fadbb15bdd26d6d4ab6d64200766755867581fc95b3bae3e550be339  lock-kept-shared.json
            42096f5bc5d9839c5d0aebea8a064b98b91324c4d3ca3486fc5834cccf6915ee  lock-kept.json
            07a46ca6b1082b706a4e94867c1c97e1c690287ff9d16a3c324125af08b5d7fc  lock-permits.json
            ae0a705fd072a9b7e390472db30a46b057daf8a102b4f5081ca8702954314568  lock-resized.json
            f1c537b60b6ef9fbe02b565319abd77dea88d0fd0a0632691a86fc657b6a1ec6  lock-shared.json
            62f1a7d86c2268a71dd185ff30d4d93cdcbf295866da54bc3e8a59c25a720243  session-alive-without-time.json
            038cb489530b385f902c478eec41f7dab7eba2203945e086ae6662571e858749  session-alive.json
            d3af3ab238e8098933ca804920c9ffb98058adea2f652708081d8affa08b516e  session-begun-without-time.json
            eb080b6697bc9669ecfd4fd35e96bb5efaef313ade36c3fc9fd03a297dac8012  session-begun.json
            f16adf1df45db21729037e1ea62ab4eb2522e88672f4a239d63fbe5bc1a35f71  session-notices.json
            """;

    private static DynamoStore store;

    /** @param edits what writes the item, one after the other, where there was none */
    private record Lock(String file, LockItem meaning, List<Edit> edits) {

        @Override
        public String toString() {
            return file;
        }
    }

    /** @param edits what writes the item, one after the other, where there was none */
    private record Session(String file, SessionId id, SessionItem meaning, List<SessionEdit> edits) {

        @Override
        public String toString() {
            return file;
        }
    }

    static List<Lock> locks() {
        Entry first = entry(ONE, 1, Mode.EXCLUSIVE, 1);
        Entry long105 = entry(ONE, 105, Mode.EXCLUSIVE, 3);
        Entry waiting = entry(TWO, 1, Mode.EXCLUSIVE, 1);
        Entry reader = entry(ONE, 2, Mode.SHARED, 2);
        Entry secondReader = entry(TWO, 1, Mode.SHARED, 1);
        Entry permit = entry(ONE, 1, Mode.PERMIT, 1);
        Entry secondPermit = entry(ONE, 2, Mode.PERMIT, 1);
        Entry kept = new Entry.Kept(Mode.EXCLUSIVE, KEPT_UNTIL);
        Entry keptReader = new Entry.Kept(Mode.SHARED, KEPT_UNTIL);
        Entry keptPermit = new Entry.Kept(Mode.PERMIT, KEPT_UNTIL);
        return List.of(
                new Lock("lock-absent", LockItem.ABSENT, List.of()),
                new Lock("lock-empty", lock(2, 0), List.of(append(QUEUE, first), remove(Map.of(0, first)))),
                new Lock("lock-exclusive", lock(4, 0, long105, waiting), List.of(append(QUEUE, long105, waiting))),
                new Lock("lock-shared", lock(3, 0, reader, secondReader), List.of(append(QUEUE, reader, secondReader))),
                new Lock("lock-permits", lock(2, 3, permit, secondPermit), List.of(ofThree(permit, secondPermit))),
                new Lock("lock-resized", lock(1, 5), List.of(permits(5))),
                new Lock(
                        "lock-kept",
                        lock(3, 0, kept, waiting),
                        List.of(append(QUEUE, first), reissue(0, first, kept, null), append(QUEUE, waiting))),
                new Lock(
                        "lock-kept-shared",
                        lock(2, 0, keptReader),
                        List.of(append(QUEUE, secondReader), reissue(0, secondReader, keptReader, null))),
                new Lock(
                        "lock-kept-permit",
                        lock(2, 3, keptPermit),
                        List.of(ofThree(permit), reissue(0, permit, keptPermit, null))),
                new Lock(
                        "lock-data",
                        new LockItem(BASE + 2, List.of(), 0, DATA, EXPIRES_AT),
                        List.of(append(QUEUE, first), leave(first))));
    }

    static List<Session> sessions() {
        Duration day = Duration.ofDays(1);
        Duration half = Duration.ofMillis(500);
        Notice eviction = new Notice(Notice.Wish.EVICT, new LockKey("customer:42", "default"), 65);
        Notice question = new Notice(Notice.Wish.TAKE_OUT_IF_UNWANTED, new LockKey("reports", "leader"), 64);
        return List.of(
                new Session(
                        "session-begun",
                        SessionId.of(1),
                        new SessionItem(0, LEASE, OWNER, NOW, Set.of()),
                        List.of(new SessionEdit.Begin(LEASE, OWNER, NOW))),
                new Session(
                        "session-begun-without-time",
                        SessionId.of(2),
                        new SessionItem(0, half, OWNER, null, Set.of()),
                        List.of(new SessionEdit.Begin(half, OWNER, null))),
                new Session(
                        "session-alive",
                        SessionId.of(3),
                        new SessionItem(42, day, OWNER, LATER, Set.of()),
                        List.of(new SessionEdit.Begin(day, OWNER, null), heartbeat(42, LATER))),
                new Session(
                        "session-alive-without-time",
                        SessionId.of(4),
                        new SessionItem(42, LEASE, OWNER, null, Set.of()),
                        List.of(new SessionEdit.Begin(LEASE, OWNER, NOW), heartbeat(42, null))),
                new Session(
                        "session-notices",
                        SessionId.of(5),
                        new SessionItem(1, LEASE, OWNER, LATER, Set.of(eviction.text(), question.text())),
                        List.of(
                                new SessionEdit.Begin(LEASE, OWNER, NOW),
                                heartbeat(1, LATER),
                                new SessionEdit.Notify(eviction),
                                new SessionEdit.Notify(question))));
    }

    private static Entry entry(SessionId session, long number, Mode mode, int slots) {
        return new Entry.OfSession(session, number, mode, slots);
    }

    private static LockItem lock(long tickets, int permits, Entry... queue) {
        return new LockItem(BASE + tickets, List.of(queue), permits, LockData.EMPTY, EXPIRES_AT);
    }

    private static Edit ofThree(Entry... permits) {
        return Edits.edit(Map.of(), null, 3, 3, false, null, 0, permits);
    }

    private static Edit leave(Entry entry) {
        return Edits.edit(Map.of(0, entry), null, 0, 0, true, DATA, 0);
    }

    private static SessionEdit heartbeat(long number, @Nullable Instant at) {
        return new SessionEdit.Heartbeat(number, Set.of(), at);
    }

    @BeforeAll
    static void openStore() {
        Tables.createOnce("embedded", EmbeddedDynamoDb.client(), SETTINGS);
        store = new DynamoStore(EmbeddedDynamoDb.client(), SETTINGS, 1, Runnable::run);
    }

    @ParameterizedTest
    @MethodSource("locks")
    void aLockItemIsReadAsItWasMeant(Lock lock) {
        assertThat(LockItemCodec.read(golden(lock.file()), "data", "expiresAt", GATE))
                .isEqualTo(lock.meaning());
    }

    @ParameterizedTest
    @MethodSource("locks")
    void theSameEditsOfALockWriteTheSameAttributes(Lock lock) {
        String key = "customer:" + lock.file().substring("lock-".length());
        for (Edit edit : lock.edits()) {
            assertThat(store.edit(new LockKey(key, "default"), edit, NOW)
                            .toCompletableFuture()
                            .join()
                            .isApplied())
                    .isTrue();
        }
        assertThat(item(key, "default/")).isEqualTo(golden(lock.file()));
    }

    @ParameterizedTest
    @MethodSource("sessions")
    void aSessionItemIsReadAsItWasMeant(Session session) {
        assertThat(SessionItemCodec.read(session.id(), golden(session.file()), GATE))
                .contains(session.meaning());
    }

    @ParameterizedTest
    @MethodSource("sessions")
    void theSameEditsOfASessionWriteTheSameAttributes(Session session) {
        for (SessionEdit edit : session.edits()) {
            assertThat(store.edit(session.id(), edit, NOW)
                            .toCompletableFuture()
                            .join()
                            .isApplied())
                    .isTrue();
        }
        assertThat(item("session#" + session.id(), "session")).isEqualTo(golden(session.file()));
    }

    @Test
    void everyGoldenItemIsTested() throws IOException {
        Set<String> tested = Stream.concat(
                        locks().stream().map(Lock::file), sessions().stream().map(Session::file))
                .map(file -> file + ".json")
                .collect(Collectors.toSet());
        try (Stream<Path> files = Files.list(folder())) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(file -> file.endsWith(".json")))
                    .containsExactlyInAnyOrderElementsOf(tested);
        }
    }

    @Test
    void noGoldenItemWasEditedOrDeleted() {
        assertThat(CHECKSUMS.lines())
                .hasSizeGreaterThanOrEqualTo(15)
                .allSatisfy(line -> assertThat(line).isEqualTo(checksum(line.replaceFirst(".* ", ""))));
    }

    @Test
    void everyGoldenItemHasAChecksum() {
        assertThat(Stream.concat(
                        locks().stream().map(Lock::file), sessions().stream().map(Session::file)))
                .allMatch(file -> CHECKSUMS.contains("  " + file + ".json\n"));
    }

    /** As {@code sha256sum} says it, but however the checkout ends lines. */
    private static String checksum(String file) {
        try {
            byte[] text =
                    Files.readString(folder().resolve(file)).replace("\r", "").getBytes(UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text)) + "  " + file;
        } catch (IOException missing) {
            return file + " is missing";
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static Map<String, AttributeValue> item(String partitionKey, String sortKey) {
        return EmbeddedDynamoDb.client()
                .getItem(get -> get.tableName(SETTINGS.tableName())
                        .consistentRead(true)
                        .key(Map.of("pk", AttributeValue.fromS(partitionKey), "sk", AttributeValue.fromS(sortKey))))
                .join()
                .item();
    }

    private static Path folder() {
        try {
            return Path.of(Objects.requireNonNull(GoldenItemsTest.class.getResource("/io/dynamolock/format-0"))
                    .toURI());
        } catch (URISyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static Map<String, AttributeValue> golden(String file) {
        Map<String, AttributeValue> item = new HashMap<>();
        try {
            JsonNode.parser()
                    .parse(Files.readString(folder().resolve(file + ".json")))
                    .asObject()
                    .forEach((name, value) -> item.put(name, attribute(value)));
        } catch (IOException missing) {
            throw new AssertionError(missing);
        }
        return item;
    }

    /** A value in DynamoDB's JSON: an object of one field, whose name is the type. */
    private static AttributeValue attribute(JsonNode value) {
        Map.Entry<String, JsonNode> typed =
                value.asObject().entrySet().iterator().next();
        JsonNode content = typed.getValue();
        return switch (typed.getKey()) {
            case "S" -> AttributeValue.fromS(content.asString());
            case "N" -> AttributeValue.fromN(content.asString());
            case "B" -> AttributeValue.fromB(SdkBytes.fromByteArray(BinaryUtils.fromBase64(content.asString())));
            case "L" ->
                AttributeValue.fromL(content.asArray().stream()
                        .map(GoldenItemsTest::attribute)
                        .toList());
            case "SS" ->
                AttributeValue.fromSs(
                        content.asArray().stream().map(JsonNode::asString).toList());
            default -> throw new AssertionError("a type that no item has: " + typed.getKey());
        };
    }
}
