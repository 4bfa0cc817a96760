package io.dynamolock.internal.store.dynamodb;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The table could not be created, checked or deleted, or is none for locks. The message says why and what to do. */
public final class TableFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final FailureReason reason;

    TableFailure(FailureReason reason, String message) {
        this(reason, message, null);
    }

    TableFailure(FailureReason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    public FailureReason reason() {
        return reason;
    }
}
