package io.dynamolock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.DynamoLocks;
import io.dynamolock.DynamoLocksBuilder;
import io.dynamolock.FencedWrites;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * A process holds a hundred locks and is frozen ({@code SIGSTOP}) just before it writes. Another takes its locks over and
 * writes. Then the first wakes up and sends its writes.
 */
class FrozenWriterTest {

    private static final int LOCKS = 100;

    /** Of the process that is frozen: others wait that long for its locks. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private static final Duration LONG = Duration.ofSeconds(90);

    private final String lockTable = "locks-" + UUID.randomUUID();
    private final DynamoDbClient client = EmbeddedDynamoDb.blockingClient();
    private final Records records = new Records(client, "records-" + UUID.randomUUID());

    /** With a short lease, for the process that is frozen. */
    static DynamoLocksBuilder builder(DynamoDbClient client, String table) {
        return DynamoLocks.builder(client)
                .tableName(table)
                .lease(LEASE)
                .heartbeat(LEASE.dividedBy(5))
                .callTimeout(LEASE.dividedBy(5));
    }

    @Test
    void aFrozenProcessThatWakesUpIsRefusedEveryTime() throws InterruptedException, IOException {
        DynamoLocks.builder(client).tableName(lockTable).table().create();
        records.create();
        Path log = Files.createTempFile("frozen-writer", ".log");
        ChildProcess frozen = start(log);
        try (LockRegistry successor =
                DynamoLocks.builder(client).tableName(lockTable).lease(LONG).build()) {
            awaitLine(frozen, log, " holding ");

            frozen.signal("STOP");
            List<LockHandle> taken = takeOver(successor);
            // Half of the locks are another's when the first wakes up, half are free again.
            taken.subList(0, LOCKS / 2).forEach(LockHandle::close);
            frozen.signal("CONT");
            frozen.tell("write");
            awaitLine(frozen, log, " done ");

            List<String> outcomes = Files.readAllLines(log);
            assertThat(outcomes)
                    .filteredOn(line -> line.startsWith("raw:"))
                    .hasSize(LOCKS)
                    .containsOnly("raw: refused [None, ConditionalCheckFailed]");
            assertThat(outcomes)
                    .filteredOn(line -> line.startsWith("helper:"))
                    .hasSize(LOCKS)
                    .containsOnly("helper: refused");
            assertThat(writers(Records.FENCED)).hasSize(LOCKS).containsOnly("successor");
            assertThat(writers(Records.PLAIN))
                    .as("what happens without a fence")
                    .hasSize(LOCKS)
                    .containsOnly("frozen");
            taken.subList(LOCKS / 2, LOCKS)
                    .forEach(handle -> assertThat(handle.release()).isTrue());
        } finally {
            frozen.kill();
            Files.delete(log);
        }
    }

    private ChildProcess start(Path log) {
        return ChildProcess.start(
                "frozen writer",
                List.of(),
                List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                FrozenWriterMain.class,
                log,
                EmbeddedDynamoDb.endpoint(),
                lockTable,
                records.table(),
                LOCKS);
    }

    /** Each lock is granted when the frozen process's lease is over; then both of its records are written. */
    private List<LockHandle> takeOver(LockRegistry successor) {
        FencedWrites writes = FencedWrites.with(client);
        List<CompletableFuture<LockHandle>> asked = new ArrayList<>();
        for (String key : Records.keys(LOCKS)) {
            asked.add(successor.acquireAsync(LockRequest.of(key).wait(LONG)));
        }
        List<LockHandle> taken = asked.stream().map(CompletableFuture::join).toList();
        for (LockHandle handle : taken) {
            writes.transact(
                    handle,
                    records.put(Records.FENCED + handle.key(), "successor"),
                    records.put(Records.PLAIN + handle.key(), "successor"));
        }
        return taken;
    }

    private List<String> writers(String register) {
        return Records.keys(LOCKS).stream()
                .map(key -> records.writer(register + key))
                .toList();
    }

    private static void awaitLine(ChildProcess process, Path log, String line) {
        Awaitility.await().atMost(LONG).until(() -> {
            List<String> lines = linesOf(log);
            assertThat(process.isAlive() || lines.contains(line))
                    .as(String.join("\n", lines))
                    .isTrue();
            return lines.contains(line);
        });
    }

    private static List<String> linesOf(Path log) {
        try {
            return Files.readAllLines(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
