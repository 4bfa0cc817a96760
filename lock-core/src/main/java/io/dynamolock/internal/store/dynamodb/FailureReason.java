package io.dynamolock.internal.store.dynamodb;

import io.dynamolock.internal.store.StoreFailure;

/** Why a call to DynamoDB failed. */
public enum FailureReason {
    /** Too many requests. */
    THROTTLED(StoreFailure.Kind.THROTTLED),
    /** A transaction was writing the item. */
    CONFLICT(StoreFailure.Kind.CONFLICTED),
    /** This machine's clock is wrong; the SDK corrects its signatures with the next request. */
    CLOCK_SKEW(StoreFailure.Kind.THROTTLED),
    /** No answer in time. */
    NO_ANSWER(StoreFailure.Kind.UNAVAILABLE),
    /** No connection, or a broken one. */
    UNREACHABLE(StoreFailure.Kind.UNAVAILABLE),
    /** DynamoDB had an error of its own. */
    SERVER_ERROR(StoreFailure.Kind.UNAVAILABLE),
    /** The table does not exist. */
    NO_TABLE(StoreFailure.Kind.DENIED),
    /** The credentials do not allow the operation. */
    ACCESS_DENIED(StoreFailure.Kind.DENIED),
    /** No credentials were found, their provider failed, or they are wrong or have expired. */
    NO_CREDENTIALS(StoreFailure.Kind.DENIED),
    /** The request was not valid, or the client is closed. */
    INVALID(StoreFailure.Kind.REFUSED),
    /** The client threw something unexpected, before or after it sent the request. */
    UNEXPECTED(StoreFailure.Kind.UNREADABLE);

    private final StoreFailure.Kind kind;

    FailureReason(StoreFailure.Kind kind) {
        this.kind = kind;
    }

    StoreFailure.Kind kind() {
        return kind;
    }
}
