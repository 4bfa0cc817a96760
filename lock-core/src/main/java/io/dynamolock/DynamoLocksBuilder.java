package io.dynamolock;

import java.time.Duration;
import java.util.concurrent.Executor;

/** Every setting has a sane default; {@link #build()} refuses bad combinations and says what to change. */
public final class DynamoLocksBuilder {

    DynamoLocksBuilder() {}

    public DynamoLocksBuilder tableName(String tableName) {
        throw new UnsupportedOperationException("not yet " + tableName);
    }

    public DynamoLocksBuilder keyPrefix(String keyPrefix) {
        throw new UnsupportedOperationException("not yet " + keyPrefix);
    }

    public DynamoLocksBuilder partitionKeyAttribute(String partitionKeyAttribute) {
        throw new UnsupportedOperationException("not yet " + partitionKeyAttribute);
    }

    public DynamoLocksBuilder sortKeyAttribute(String sortKeyAttribute) {
        throw new UnsupportedOperationException("not yet " + sortKeyAttribute);
    }

    public DynamoLocksBuilder ttlAttribute(String ttlAttribute) {
        throw new UnsupportedOperationException("not yet " + ttlAttribute);
    }

    public DynamoLocksBuilder retention(Duration retention) {
        throw new UnsupportedOperationException("not yet " + retention);
    }

    public DynamoLocksBuilder lease(Duration lease) {
        throw new UnsupportedOperationException("not yet " + lease);
    }

    public DynamoLocksBuilder heartbeat(Duration heartbeat) {
        throw new UnsupportedOperationException("not yet " + heartbeat);
    }

    public DynamoLocksBuilder driftMargin(Duration driftMargin) {
        throw new UnsupportedOperationException("not yet " + driftMargin);
    }

    public DynamoLocksBuilder lockDelay(Duration lockDelay) {
        throw new UnsupportedOperationException("not yet " + lockDelay);
    }

    public DynamoLocksBuilder maxClockSkew(Duration maxClockSkew) {
        throw new UnsupportedOperationException("not yet " + maxClockSkew);
    }

    public DynamoLocksBuilder callTimeout(Duration callTimeout) {
        throw new UnsupportedOperationException("not yet " + callTimeout);
    }

    public DynamoLocksBuilder maxCallsInFlight(int maxCallsInFlight) {
        throw new UnsupportedOperationException("not yet " + maxCallsInFlight);
    }

    public DynamoLocksBuilder owner(String owner) {
        throw new UnsupportedOperationException("not yet " + owner);
    }

    public DynamoLocksBuilder listener(LockListener listener) {
        throw new UnsupportedOperationException("not yet " + listener);
    }

    public DynamoLocksBuilder executor(Executor executor) {
        throw new UnsupportedOperationException("not yet " + executor);
    }

    public DynamoLocksBuilder pollInterval(Duration min, Duration max) {
        throw new UnsupportedOperationException("not yet " + min + max);
    }

    /** The table that the registry will use; only for a builder on a DynamoDB client. */
    public LockTable table() {
        throw new UnsupportedOperationException("not yet");
    }

    public LockRegistry build() {
        throw new UnsupportedOperationException("not yet");
    }
}
