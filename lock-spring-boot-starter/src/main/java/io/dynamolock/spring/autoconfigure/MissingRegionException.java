package io.dynamolock.spring.autoconfigure;

/** Nobody says in which AWS region the table is. */
final class MissingRegionException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    MissingRegionException(Throwable cause) {
        super("No AWS region is known: " + cause.getMessage(), cause);
    }
}
