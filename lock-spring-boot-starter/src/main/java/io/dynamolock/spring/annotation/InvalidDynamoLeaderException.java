package io.dynamolock.spring.annotation;

/**
 * A {@link DynamoLeader} annotation cannot work as it is written. Thrown when the application context starts, which
 * stops the start.
 */
public final class InvalidDynamoLeaderException extends InvalidAnnotationException {

    private static final long serialVersionUID = 1L;

    /** @param place which bean or method has the annotation */
    public InvalidDynamoLeaderException(String place, String problem, String remedy) {
        super("@DynamoLeader on " + place + ": " + problem, remedy, null);
    }
}
