package io.dynamolock.internal.store.dynamodb;

import java.util.Objects;

/** The table could not be created, inspected or deleted. The message says why and what to do. */
public final class TableFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final FailureReason reason;

    TableFailure(FailureReason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    public FailureReason reason() {
        return reason;
    }
}
