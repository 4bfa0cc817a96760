package io.dynamolock.fences;

import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** Starts a PostgreSQL for a test: from an installation, or in a container. */
record PostgresServer(String address, PostgresServer.Stopping stopping) {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final String USER = "postgres";
    private static final int CONTAINER_PORT = 5432;

    interface Stopping {

        void stop() throws IOException, InterruptedException;
    }

    /** Empty if there is neither an installation nor Docker. */
    static Optional<PostgresServer> start() throws IOException, InterruptedException {
        Optional<Path> programs = programs();
        if (programs.isPresent() && (!isRoot() || hasUser())) {
            return Optional.of(installed(programs.get()));
        }
        return "true".equals(System.getenv("CI"))
                        || DockerClientFactory.instance().isDockerAvailable()
                ? Optional.of(container())
                : Optional.empty();
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://" + address + "/postgres", USER, "");
    }

    /** The folder of the latest version's programs from Debian's packages. */
    private static Optional<Path> programs() throws IOException {
        Path versions = Path.of("/usr/lib/postgresql");
        if (!Files.isDirectory(versions)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.list(versions)) {
            return all.map(version -> version.resolve("bin"))
                    .filter(programs -> Files.isExecutable(programs.resolve("initdb")))
                    .max(Comparator.naturalOrder());
        }
    }

    /** PostgreSQL refuses to run as root. */
    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static boolean hasUser() throws IOException, InterruptedException {
        return new ProcessBuilder("id", USER).start().waitFor() == 0;
    }

    private static PostgresServer installed(Path programs) throws IOException, InterruptedException {
        Path data = Files.createTempDirectory("postgres");
        if (isRoot()) {
            run(List.of("chown", USER, data.toString()));
        }
        run(asUser(programs.resolve("initdb"), "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync"));
        int port = EmbeddedDynamoDb.freePort();
        Process server = new ProcessBuilder(asUser(
                        programs.resolve("postgres"), "-D", data, "-p", port, "-h", "127.0.0.1", "-k", data, "-F"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Thread lastResort = new Thread(server::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(lastResort);
        return answering(new PostgresServer("127.0.0.1:" + port, () -> {
            server.destroy();
            if (!server.waitFor(10, TimeUnit.SECONDS)) {
                server.destroyForcibly().waitFor();
            }
            Runtime.getRuntime().removeShutdownHook(lastResort);
            delete(data);
        }));
    }

    private static PostgresServer container() {
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse("postgres"))
                .withEnv("POSTGRES_HOST_AUTH_METHOD", "trust")
                .withExposedPorts(CONTAINER_PORT);
        container.start();
        return answering(new PostgresServer(
                container.getHost() + ":" + container.getMappedPort(CONTAINER_PORT), container::stop));
    }

    private static PostgresServer answering(PostgresServer server) {
        Awaitility.await().atMost(START_LIMIT).ignoreExceptions().until(() -> {
            try (Connection connection = server.connect()) {
                return connection.isValid(1);
            }
        });
        return server;
    }

    private static List<String> asUser(Object... command) {
        List<String> words = new ArrayList<>();
        if (isRoot()) {
            words.addAll(List.of("setpriv", "--reuid", USER, "--regid", USER, "--clear-groups"));
        }
        for (Object word : command) {
            words.add(word.toString());
        }
        return words;
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + " failed: " + output);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
