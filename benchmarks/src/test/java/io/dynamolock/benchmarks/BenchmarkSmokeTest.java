package io.dynamolock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import io.dynamolock.benchmarks.database.Usage;
import io.dynamolock.benchmarks.peer.LockProcess;
import io.dynamolock.benchmarks.peer.LockProcess.HeldLock;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.peer.Peers;
import io.dynamolock.benchmarks.process.ChildJvm;
import io.dynamolock.benchmarks.process.DatabaseMain;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.regions.Region;

/** That the measuring works; what it measures in so short a time means nothing. */
class BenchmarkSmokeTest {

    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final int SECTIONS = 4;

    private static ChildJvm databaseJvm;

    @BeforeAll
    static void startDatabase() {
        databaseJvm = ChildJvm.start(DatabaseMain.class, "256m", List.of());
    }

    @AfterAll
    static void stopDatabase() {
        databaseJvm.close();
    }

    @Test
    void everyPeerMakesTheCallsThatItIsKnownFor() throws InterruptedException {
        Map<String, Usage> known = Map.of(
                "dynamolock", new Usage(2, 0, 2, 0),
                "dynamolock-awaited", new Usage(2, 0, 2, 0),
                "dynamolock-readers", new Usage(2, 0, 2, 0),
                "dynamolock-permits", new Usage(2, 0, 2, 0),
                "aws-lock-client", new Usage(2, 1, 2, 1),
                "spring-cloud-aws", new Usage(2, 0, 2, 0),
                "shedlock", new Usage(2, 0, 2, 0),
                "locking-read", new Usage(2, 0, 2, 0),
                "locking-table", new Usage(2, 0, 2, 0),
                "article", new Usage(3, 1, 3, 1));
        for (Peer peer : Peers.all()) {
            assertThat(leastUsageOfASection(peer)).as(peer.id()).isEqualTo(known.get(peer.id()));
        }
    }

    @Test
    void aRunLeavesAPageAndCharts(@TempDir Path folder) throws InterruptedException {
        assertThat(run(folder, "--scenarios=1", "--peers=dynamolock,dynamolock-awaited,shedlock", "--commit=abc"))
                .isTrue();
        assertThat(folder.resolve("scenario-1.md"))
                .content()
                .contains("![", "writes per section", "no result", "- commit: abc")
                .contains(
                        "**New keys, 100 sections a second over 16 threads**",
                        "**New keys, 16 threads as fast as they can**",
                        "**The same key again, 1 thread as fast as it can**")
                .containsPattern("\\| DynamoLock \\| \\d")
                .containsPattern("\\| DynamoLock, await-release \\| \\d")
                .containsPattern("\\| ShedLock[^|]*\\| \\d")
                // Met, missed or not measured: in so short a time a busy machine may have no figure.
                .contains("the caller's time, p50 | at most 0.6 times the best peer's | ")
                .contains("sections a second | at least 50 times the best peer's | ")
                .contains("processor time per section | at most 1.2 times ShedLock's | ")
                .doesNotContain("(failed)");
        assertThat(folder.resolve("1-uncontended.svg"))
                .content()
                .startsWith("<svg")
                .contains("DynamoLock");
        assertThat(folder.resolve("overview.svg")).content().startsWith("<svg").contains("ShedLock");
    }

    @Test
    void handOversAreMeasuredAfterLongHolds(@TempDir Path folder) throws InterruptedException {
        assertThat(run(folder, "--scenarios=3", "--peers=dynamolock,shedlock")).isTrue();

        assertThat(folder.resolve("scenario-3.md"))
                .content()
                .contains("no result", "10 s: mean, ms", "60 s: lost before, of 20")
                .contains("after holds of 10 s: late on average | at most 130 ms | ")
                .contains("after holds of 60 s: late on average | at most 130 ms | ")
                .contains("sections of 0 ms: sections a second | at least 330 | ")
                // Waiters of both have had every lock, and none too early.
                .containsPattern("\\| DynamoLock \\| \\d.* \\| 0 \\| \\d.* \\| 0 \\| \\d.* \\| 0 \\|\n")
                .containsPattern("\\| ShedLock[^|]* \\| \\d.* \\| 0 \\| \\d.* \\| 0 \\| \\d.* \\| 0 \\|\n")
                .doesNotContain("(failed)");
        assertThat(folder.resolve("3-late.svg")).content().startsWith("<svg");
    }

    @Test
    void lockingReadsAreMeasuredBesideTheHandWrittenOneOnly(@TempDir Path folder) throws InterruptedException {
        assertThat(run(folder, "--scenarios=9")).isTrue();

        assertThat(folder.resolve("scenario-9.md"))
                .content()
                .contains("no result", "- DynamoLock's locking read: ", "- Locking read (from its article): ")
                .containsPattern("\\| DynamoLock's locking read \\| \\d")
                .containsPattern("\\| Locking read[^|]*\\| \\d")
                .contains("1 thread, 1 free item: reads per section | 0 | 0.000 | met")
                .doesNotContain("(failed)", "AWS lock client");
        assertThat(folder.resolve("9-hot.svg")).content().startsWith("<svg");
    }

    @Test
    void readersAndPermitsAreMeasuredBesideLocksForOneHolder(@TempDir Path folder) throws InterruptedException {
        assertThat(run(
                        folder,
                        "--scenarios=10",
                        "--peers=dynamolock,dynamolock-readers,dynamolock-permits,shedlock,locking-table"))
                .isTrue();

        assertThat(folder.resolve("scenario-10.md"))
                .content()
                .contains(
                        "no result",
                        "| DynamoLock: most together | 1 | ",
                        "| DynamoLock, 90 % readers: most together | more than 1 | ",
                        "| DynamoLock, 4 permits: most together | more than 1 | ")
                // The last two columns are overlaps and failures; the others depend on the machine.
                .containsPattern("\\| DynamoLock \\| \\d.* \\| 0 \\| 0 \\|")
                .containsPattern("\\| DynamoLock, 90 % readers \\| \\d.* \\| 0 \\| 0 \\|")
                .containsPattern("\\| DynamoLock, 4 permits \\| \\d.* \\| 0 \\| 0 \\|")
                .containsPattern("\\| ShedLock[^|]* \\| \\d")
                .doesNotContain("(failed)", "locking read");
        assertThat(folder.resolve("10-shared.svg")).content().startsWith("<svg");
    }

    @Test
    void onlyALockThatMayBeSharedIsHeldBySeveral() throws InterruptedException {
        assertThat(heldTogether("dynamolock")).singleElement().returns(1, HeldLock::allowedTogether);
        assertThat(heldTogether("dynamolock-readers"))
                .hasSize(6)
                .allMatch(reader -> reader.allowedTogether() == Integer.MAX_VALUE);
        assertThat(heldTogether("dynamolock-permits")).hasSize(4).allMatch(permit -> permit.allowedTogether() == 4);
    }

    @Test
    void anUnknownOptionIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BenchmarkOptions.parse("--scenario=1"))
                .withMessageContaining("--scenario");
    }

    private static boolean run(Path folder, String... chosen) throws InterruptedException {
        List<String> options = new ArrayList<>(List.of(chosen));
        options.addAll(List.of(
                "--factor=0.05",
                "--rounds=1",
                "--round-trip=1ms",
                "--endpoint=" + databaseJvm.readyWord(),
                "--output=" + folder));
        return BenchmarkMain.run(BenchmarkOptions.parse(options.toArray(String[]::new)), List.of());
    }

    /** Of six that ask without waiting, three in each of two processes, those that got the lock while it was held. */
    private static List<HeldLock> heldTogether(String id) throws InterruptedException {
        Peer peer = Peers.named(List.of(id)).get(0);
        Database database = database();
        String table = "together-" + id;
        database.createTable(table, peer.keyAttributes().toArray(String[]::new));
        List<LockProcess> processes = new ArrayList<>();
        try {
            // Names whose dice do not make a writer in their first turns.
            for (String name : List.of("first", "second")) {
                processes.add(peer.start(database, table, name, new CallMeter()));
            }
            List<HeldLock> held = new ArrayList<>();
            for (int turn = 0; turn < 6; turn++) {
                HeldLock lock = processes.get(turn % 2).acquire("together", Duration.ZERO);
                if (lock != null) {
                    held.add(lock);
                }
            }
            return held;
        } finally {
            processes.forEach(LockProcess::close);
        }
    }

    /** The least of several, because a heartbeat may come between. */
    private static Usage leastUsageOfASection(Peer peer) throws InterruptedException {
        Database database = database();
        String table = "smoke-" + peer.id();
        database.createTable(table, peer.keyAttributes().toArray(String[]::new));
        CallMeter meter = new CallMeter();
        LockProcess process = peer.start(database, table, "smoke", meter);
        try {
            return IntStream.range(0, SECTIONS)
                    .mapToObj(i -> usageOfASection(process, meter))
                    // The first one brings with it what a process does once.
                    .skip(1)
                    // The answer to a heartbeat of the first one may still come in the second: more units, no more
                    // calls.
                    .min(Comparator.<Usage>comparingLong(usage -> usage.writes() + usage.reads())
                            .thenComparingDouble(usage -> usage.writeUnits() + usage.readUnits()))
                    .orElseThrow();
        } finally {
            process.close();
        }
    }

    private static Database database() {
        return new Database(
                Optional.of(URI.create(databaseJvm.readyWord())), Region.EU_CENTRAL_1, true, Duration.ofMillis(1));
    }

    private static Usage usageOfASection(LockProcess process, CallMeter meter) {
        Usage before = meter.usage();
        try {
            Objects.requireNonNull(process.acquire("smoke", WAIT)).release();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return meter.usage().minus(before);
    }
}
