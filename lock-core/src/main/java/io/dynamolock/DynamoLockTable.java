package io.dynamolock;

import io.dynamolock.LockTableException.Problem;
import io.dynamolock.internal.store.dynamodb.DynamoTable;
import io.dynamolock.internal.store.dynamodb.FailureReason;
import io.dynamolock.internal.store.dynamodb.TableFailure;
import io.dynamolock.internal.store.dynamodb.TableInspection;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** The lock table on DynamoDB, in words for people. */
final class DynamoLockTable implements LockTable {

    private final DynamoTable table;
    private final boolean singleRegion;

    /** @param singleRegion whether nobody locks in another replica of the table */
    DynamoLockTable(DynamoTable table, boolean singleRegion) {
        this.table = table;
        this.singleRegion = singleRegion;
    }

    @Override
    public String name() {
        return table.name();
    }

    @Override
    public void create() {
        await(table.create(), "created");
    }

    @Override
    public void createProvisioned(long readUnits, long writeUnits) {
        if (readUnits < 1 || writeUnits < 1) {
            throw new IllegalArgumentException(
                    "The lock table \"" + name() + "\" needs at least 1 read unit and 1 write"
                            + " unit a second, but was to have " + readUnits + " and " + writeUnits + ".");
        }
        await(table.create(readUnits, writeUnits), "created");
    }

    @Override
    public void check() {
        TableInspection inspection = await(table.inspect(), "checked");
        if (inspection instanceof TableInspection.Missing) {
            throw problem(
                    Problem.MISSING,
                    "The lock table \"" + name() + "\" does not exist at " + table.endpoint()
                            + ". Create it (docs/table.md has the CloudFormation and Terraform text, LockTable.create()"
                            + " does it too), or correct its name, the region or the endpoint.");
        }
        if (inspection instanceof TableInspection.WrongKeySchema wrong) {
            throw problem(
                    Problem.WRONG_KEY_SCHEMA,
                    "The table \"" + name() + "\" cannot hold locks: it has " + wrong.found() + ", but the locks need "
                            + wrong.expected() + ". Use another table; or, if this one has a partition key and a sort"
                            + " key that are strings, set the names of the key attributes to theirs.");
        }
        if (inspection instanceof TableInspection.TtlOff off) {
            throw problem(Problem.TTL_OFF, ttlOff(off));
        }
        if (inspection instanceof TableInspection.LateReplicas late && !singleRegion) {
            throw problem(
                    Problem.SEVERAL_REGIONS,
                    "The lock table \"" + name() + "\" is a global table without strong consistency, with replicas in "
                            + String.join(", ", late.regions())
                            + " too. Replicas are different tables to a lock: in two"
                            + " regions two processes would hold it at once. If all processes use the replica at "
                            + table.endpoint() + ", say so by singleRegion(true); else have all of them use one region,"
                            + " or a global table with multi-Region strong consistency.");
        }
    }

    @Override
    public void delete() {
        await(table.delete(), "deleted");
    }

    private String ttlOff(TableInspection.TtlOff off) {
        if (off.otherAttribute() != null) {
            return "TTL of the lock table \"" + name() + "\" is on for the attribute \"" + off.otherAttribute()
                    + "\", not for \"" + off.attribute()
                    + "\", so unused locks would stay for ever. A table has one TTL"
                    + " attribute: set the TTL attribute of the locks to \"" + off.otherAttribute()
                    + "\", or use another table.";
        }
        return "TTL of the lock table \"" + name()
                + "\" is off, so unused locks would stay for ever. Turn it on for the"
                + " attribute \"" + off.attribute() + "\": aws dynamodb update-time-to-live --table-name " + name()
                + " --time-to-live-specification Enabled=true,AttributeName=" + off.attribute();
    }

    private <T> T await(CompletionStage<T> stage, String done) {
        try {
            return stage.toCompletableFuture().get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new LockTableException(
                    name(),
                    Problem.OTHER,
                    "Interrupted while the lock table \"" + name() + "\" was being " + done,
                    interrupted);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof TableFailure failure) {
                throw new LockTableException(
                        name(),
                        problem(failure),
                        "The lock table could not be " + done + ". " + failure.getMessage() + refusal(failure),
                        failure);
            }
            throw new LockTableException(
                    name(), Problem.OTHER, "The lock table could not be " + done + ": " + failed.getCause(), failed);
        }
    }

    private String refusal(TableFailure failure) {
        return failure.reason() == FailureReason.NO_ANSWER && table.isRefused()
                ? ". Nothing accepts connections at " + table.endpoint() + ": check the endpoint and the port"
                : "";
    }

    private LockTableException problem(Problem problem, String message) {
        return new LockTableException(name(), problem, message, null);
    }

    private static Problem problem(TableFailure failure) {
        return switch (failure.reason()) {
            case NO_TABLE -> Problem.MISSING;
            case ACCESS_DENIED -> Problem.ACCESS_DENIED;
            case NO_CREDENTIALS -> Problem.NO_CREDENTIALS;
            case UNREACHABLE, NO_ANSWER -> Problem.UNREACHABLE;
            case THROTTLED, CONFLICT, CLOCK_SKEW, SERVER_ERROR -> Problem.UNAVAILABLE;
            case INVALID, UNEXPECTED -> Problem.OTHER;
        };
    }
}
