package io.dynamolock.sample.orders;

/** A write came too late: a holder with a greater fencing token has written the customer before. */
public final class StaleWriteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StaleWriteException(String customerId, long fencingToken, Throwable cause) {
        super(
                "Customer %s was written by a later holder of the lock than number %d; this order was not written"
                        .formatted(customerId, fencingToken),
                cause);
    }
}
