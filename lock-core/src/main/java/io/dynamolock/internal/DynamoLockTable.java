package io.dynamolock.internal;

import io.dynamolock.LockTable;
import io.dynamolock.LockTableException;
import io.dynamolock.LockTableException.Problem;
import io.dynamolock.internal.store.dynamodb.DynamoTable;
import io.dynamolock.internal.store.dynamodb.FailureReason;
import io.dynamolock.internal.store.dynamodb.TableFailure;

/**
 * The lock table on DynamoDB.
 *
 * @param singleRegion whether nobody locks in another replica of the table
 */
record DynamoLockTable(DynamoTable table, boolean singleRegion) implements LockTable {

    @Override
    public String name() {
        return table.name();
    }

    @Override
    public void create() {
        run(table::create);
    }

    @Override
    public void createProvisioned(long readUnits, long writeUnits) {
        if (readUnits < 1 || writeUnits < 1) {
            throw new IllegalArgumentException(
                    "The lock table \"" + name() + "\" needs at least 1 read unit and 1 write"
                            + " unit a second, but was to have " + readUnits + " and " + writeUnits + ".");
        }
        run(() -> table.create(readUnits, writeUnits));
    }

    @Override
    public void check() {
        run(() -> table.check(singleRegion));
    }

    @Override
    public void delete() {
        run(table::delete);
    }

    private void run(Runnable work) {
        try {
            work.run();
        } catch (TableFailure failure) {
            throw new LockTableException(
                    name(), problem(failure.reason()), String.valueOf(failure.getMessage()), failure.getCause());
        }
    }

    private static Problem problem(FailureReason reason) {
        return switch (reason) {
            case NO_TABLE -> Problem.MISSING;
            case WRONG_KEY_SCHEMA -> Problem.WRONG_KEY_SCHEMA;
            case TTL_OFF -> Problem.TTL_OFF;
            case SEVERAL_REGIONS -> Problem.SEVERAL_REGIONS;
            case ACCESS_DENIED -> Problem.ACCESS_DENIED;
            case NO_CREDENTIALS -> Problem.NO_CREDENTIALS;
            case UNREACHABLE, NO_ANSWER -> Problem.UNREACHABLE;
            case THROTTLED, CONFLICT, CLOCK_SKEW, SERVER_ERROR -> Problem.UNAVAILABLE;
            case INVALID, UNEXPECTED -> Problem.OTHER;
        };
    }
}
