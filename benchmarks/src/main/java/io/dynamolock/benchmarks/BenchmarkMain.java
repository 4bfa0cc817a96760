package io.dynamolock.benchmarks;

import io.dynamolock.benchmarks.database.Database;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.process.ChildJvm;
import io.dynamolock.benchmarks.process.DatabaseMain;
import io.dynamolock.benchmarks.report.ReportFolder;
import io.dynamolock.benchmarks.report.ScenarioReport;
import io.dynamolock.benchmarks.scenario.Bench;
import io.dynamolock.benchmarks.scenario.Failover;
import io.dynamolock.benchmarks.scenario.FloodedKeys;
import io.dynamolock.benchmarks.scenario.HotKey;
import io.dynamolock.benchmarks.scenario.HotKeyAcrossProcesses;
import io.dynamolock.benchmarks.scenario.LockingReads;
import io.dynamolock.benchmarks.scenario.ManyHeldLocks;
import io.dynamolock.benchmarks.scenario.ManyWaiters;
import io.dynamolock.benchmarks.scenario.MicroBenchmarks;
import io.dynamolock.benchmarks.scenario.Order;
import io.dynamolock.benchmarks.scenario.Overview;
import io.dynamolock.benchmarks.scenario.Scenario;
import io.dynamolock.benchmarks.scenario.SharedLocks;
import io.dynamolock.benchmarks.scenario.Uncontended;
import io.dynamolock.benchmarks.scenario.WarmUp;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;

/** Measures what the command line asks for. */
public final class BenchmarkMain {

    private static final Logger LOG = LoggerFactory.getLogger(BenchmarkMain.class);

    private static final List<Scenario> SCENARIOS = List.of(
            new Uncontended(),
            new HotKey(),
            new HotKeyAcrossProcesses(),
            new Order(),
            new ManyHeldLocks(),
            new Failover(),
            new ManyWaiters(),
            new MicroBenchmarks(),
            new LockingReads(),
            new SharedLocks(),
            new FloodedKeys());
    private static final String DATABASE_HEAP = "512m";
    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

    private BenchmarkMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        BenchmarkOptions options;
        try {
            options = BenchmarkOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(1);
            return;
        }
        // Clients and JMH leave threads behind that would keep this JVM alive.
        int exit = 1;
        try {
            exit = run(options, List.of(arguments)) ? 0 : 1;
        } catch (RuntimeException e) {
            LOG.error("Nothing could be measured", e);
        } finally {
            System.exit(exit);
        }
    }

    /** @return whether all scenarios could be measured */
    static boolean run(BenchmarkOptions options, List<String> command) throws InterruptedException {
        boolean embedded = options.endpoint().isEmpty() && options.region().isEmpty();
        @Nullable ChildJvm databaseJvm = embedded ? ChildJvm.start(DatabaseMain.class, DATABASE_HEAP, List.of()) : null;
        try {
            Database database = database(
                    options,
                    databaseJvm == null ? options.endpoint() : Optional.of(URI.create(databaseJvm.readyWord())));
            Surroundings surroundings = new Surroundings(options, describe(options, embedded), command);
            return run(options, database, surroundings);
        } finally {
            if (databaseJvm != null) {
                databaseJvm.close();
            }
        }
    }

    private static boolean run(BenchmarkOptions options, Database database, Surroundings surroundings)
            throws InterruptedException {
        List<Scenario> wanted = SCENARIOS.stream()
                .filter(scenario -> options.wants(scenario.number()))
                .toList();
        Bench bench = new Bench(
                        database,
                        options.peers(),
                        options.factor(),
                        options.size(),
                        options.rounds(),
                        UUID.randomUUID().toString().substring(0, 8))
                .with(peer -> wanted.stream().anyMatch(scenario -> scenario.isFor(peer)));
        ReportFolder folder = new ReportFolder(options.output(), Overview.FIGURES);
        boolean complete = true;
        try {
            for (Peer peer : bench.peers()) {
                database.createTable(bench.table(peer), peer.keyAttributes().toArray(String[]::new));
            }
            WarmUp.run(bench);
            for (Scenario scenario : wanted) {
                complete &= measured(scenario, bench.with(scenario::isFor), surroundings, folder);
            }
            return complete;
        } finally {
            bench.peers().forEach(peer -> delete(database, bench.table(peer)));
        }
    }

    private static void delete(Database database, String table) {
        try {
            database.deleteTable(table);
        } catch (SdkException e) {
            LOG.error("The table {} could not be deleted: delete it by hand, or it costs what lies in it", table, e);
        }
    }

    /** If a scenario fails, the next ones still run: a run takes hours. */
    private static boolean measured(Scenario scenario, Bench bench, Surroundings surroundings, ReportFolder folder)
            throws InterruptedException {
        try {
            double busy = surroundings.busyShare();
            long began = System.nanoTime();
            StolenTime stolen = new StolenTime();
            ScenarioReport report = scenario.run(bench);
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            folder.write(report, surroundings.describe(busy, stolen.share(), took, bench.peers()));
            bench.progress(scenario.number() + ": took " + took.toSeconds() + " s");
            return true;
        } catch (RuntimeException e) {
            LOG.error("Scenario {} could not be measured", scenario.number(), e);
            return false;
        }
    }

    private static Database database(BenchmarkOptions options, Optional<URI> endpoint) {
        boolean local =
                endpoint.map(URI::getHost).filter(THIS_MACHINE::contains).isPresent();
        Region region = options.region().map(Region::of).orElse(Region.EU_CENTRAL_1);
        return new Database(endpoint, region, local, options.roundTrip());
    }

    private static String describe(BenchmarkOptions options, boolean embedded) {
        if (embedded) {
            return "DynamoDB Local 3.3.1 in memory, in a JVM of its own on the same machine";
        }
        return options.endpoint()
                .map(URI::toString)
                .orElseGet(() -> "DynamoDB in " + options.region().orElse("AWS"));
    }
}
