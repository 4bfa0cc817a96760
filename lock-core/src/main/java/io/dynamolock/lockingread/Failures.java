package io.dynamolock.lockingread;

import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;

/** What a failed call may have done. */
final class Failures {

    private static final int SERVER_ERROR = 500;

    private Failures() {}

    /** Whether the call may have had its effect although it failed: DynamoDB did not say that it refused it. */
    static boolean mayHaveLanded(Throwable failure) {
        return !(failure instanceof SdkServiceException answer)
                || answer.statusCode() >= SERVER_ERROR
                || isRepeated(answer);
    }

    /** Whether the client sent the call more than once, so that an earlier sending of it may have had its effect. */
    static boolean isRepeated(SdkException failure) {
        return failure.numAttempts() != null && failure.numAttempts() > 1;
    }
}
