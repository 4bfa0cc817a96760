package io.dynamolock.internal.store.dynamodb;

/**
 * The credentials provider of the client has failed, so the call was not sent. Without this type, a failure inside the
 * provider, which may use AWS clients of its own, could not be told from a failure of the call.
 */
final class CredentialsFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CredentialsFailure(Throwable cause) {
        super(cause.getMessage(), cause);
    }
}
