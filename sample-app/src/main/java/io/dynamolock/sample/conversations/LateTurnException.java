package io.dynamolock.sample.conversations;

/** A later turn of the conversation has begun: nothing was written. */
final class LateTurnException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LateTurnException(long fencingToken, Throwable cause) {
        super(
                "A later turn has begun than that with fencing token %d; nothing was written".formatted(fencingToken),
                cause);
    }
}
