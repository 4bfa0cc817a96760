package io.dynamolock.spring;

import org.jspecify.annotations.Nullable;

/** A {@link DynamoLeader} annotation cannot work as it is written. It comes when the application context starts. */
public final class InvalidDynamoLeaderException extends InvalidAnnotationException {

    private static final long serialVersionUID = 1L;

    InvalidDynamoLeaderException(String place, String problem, String remedy, @Nullable Throwable cause) {
        super("@DynamoLeader on " + place + ": " + problem, remedy, cause);
    }
}
