package io.dynamolock.fences;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Accounts in PostgreSQL, protected by the fencing tokens of a lock: the example of {@code docs/fencing.md}. Each row
 * remembers the greatest token that it was read or written with, and refuses smaller ones.
 */
record PostgresAccounts(Connection connection) {

    void createTable() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE account (id text PRIMARY KEY, balance bigint NOT NULL, fence bigint NOT NULL)");
        }
    }

    void open(String id) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO account VALUES (?, 0, 0)")) {
            insert.setString(1, id);
            insert.executeUpdate();
        }
    }

    /**
     * Reads the balance. From now on the row refuses every earlier holder of the lock: otherwise such a holder could
     * write between this read and the write that is based on it.
     *
     * @throws StaleTokenException if a later holder has read or written the row
     */
    long read(String id, long token) throws SQLException {
        try (PreparedStatement claim = connection.prepareStatement(
                "UPDATE account SET fence = ? WHERE id = ? AND fence <= ? RETURNING balance")) {
            claim.setLong(1, token);
            claim.setString(2, id);
            claim.setLong(3, token);
            try (ResultSet row = claim.executeQuery()) {
                if (!row.next()) {
                    throw new StaleTokenException(id, token);
                }
                return row.getLong("balance");
            }
        }
    }

    /** @throws StaleTokenException if a later holder has read or written the row; nothing is written */
    void write(String id, long balance, long token) throws SQLException {
        update("UPDATE account SET balance = ?, fence = ? WHERE id = ? AND fence <= ?", id, balance, token);
    }

    /**
     * For a single write under a token, without a read before it: the same write sent again is refused, too.
     *
     * @throws StaleTokenException if the row has seen this token or a greater one; nothing is written
     */
    void writeOnce(String id, long balance, long token) throws SQLException {
        update("UPDATE account SET balance = ?, fence = ? WHERE id = ? AND fence < ?", id, balance, token);
    }

    private void update(String sql, String id, long balance, long token) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setLong(1, balance);
            update.setLong(2, token);
            update.setString(3, id);
            update.setLong(4, token);
            if (update.executeUpdate() == 0) {
                throw new StaleTokenException(id, token);
            }
        }
    }

    /** A later holder of the lock has used the account. */
    static final class StaleTokenException extends RuntimeException {

        StaleTokenException(String id, long token) {
            super("account " + id + " has seen a greater token than " + token);
        }
    }
}
