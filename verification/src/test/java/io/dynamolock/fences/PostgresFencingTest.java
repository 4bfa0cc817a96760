package io.dynamolock.fences;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.abort;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.fences.PostgresAccounts.StaleTokenException;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Fencing tokens in a real PostgreSQL. Skipped where there is neither an installation nor Docker, but if the
 * environment variable {@code CI} is {@code true} it fails there.
 */
class PostgresFencingTest {

    private static final Duration WAIT = Duration.ofSeconds(10);

    private static PostgresServer server;
    private static Connection connection;
    private static PostgresAccounts accounts;
    private static LockRegistry locks;

    @BeforeAll
    static void start() throws IOException, InterruptedException, SQLException {
        server = PostgresServer.start().orElseGet(() -> {
            String skipped = "SKIPPED PostgresFencingTest: there is neither PostgreSQL nor Docker here, so the example"
                    + " of fencing tokens was not run";
            System.err.println(skipped);
            return abort(skipped);
        });
        connection = server.connect();
        accounts = new PostgresAccounts(connection);
        accounts.createTable();
        locks = RegistryBuilder.of(new InMemoryLockStore()).build();
    }

    @AfterAll
    static void stop() throws IOException, InterruptedException, SQLException {
        if (server != null) {
            locks.close();
            connection.close();
            server.stopping().stop();
        }
    }

    /** A caller that has read the account under the lock, and is then delayed. */
    private static long heldUp(String account) throws SQLException {
        try (LockHandle lock = locks.acquire(account, WAIT)) {
            accounts.read(account, lock.fencingToken());
            return lock.fencingToken();
        }
    }

    @Test
    void aLateWriteIsRefusedAsSoonAsTheNextCallerHasRead() throws SQLException {
        accounts.open("anna");
        long late = heldUp("anna");
        try (LockHandle lock = locks.acquire("anna", WAIT)) {
            long balance = accounts.read("anna", lock.fencingToken());

            assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> accounts.write("anna", 1_000, late));
            accounts.write("anna", balance + 5, lock.fencingToken());

            assertThat(accounts.read("anna", lock.fencingToken())).isEqualTo(5);
        }
    }

    @Test
    void oneCallerMayReadAndWriteSeveralTimes() throws SQLException {
        accounts.open("berta");
        try (LockHandle lock = locks.acquire("berta", WAIT)) {
            for (int i = 1; i <= 3; i++) {
                long balance = accounts.read("berta", lock.fencingToken());
                accounts.write("berta", balance + 1, lock.fencingToken());
            }

            assertThat(accounts.read("berta", lock.fencingToken())).isEqualTo(3);
        }
    }

    @Test
    void withTheStricterComparisonEachCallerWritesOnce() throws SQLException {
        accounts.open("carla");
        try (LockHandle lock = locks.acquire("carla", WAIT)) {
            accounts.writeOnce("carla", 7, lock.fencingToken());

            assertThatExceptionOfType(StaleTokenException.class)
                    .isThrownBy(() -> accounts.writeOnce("carla", 8, lock.fencingToken()));
            assertThat(accounts.read("carla", lock.fencingToken())).isEqualTo(7);
        }
    }
}
