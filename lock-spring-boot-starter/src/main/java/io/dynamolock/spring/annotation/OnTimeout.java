package io.dynamolock.spring.annotation;

/** What happens when the wait of a {@link DynamoLocked} method is over. */
public enum OnTimeout {

    /** Not set: the value in the annotation of the class is used, or otherwise {@link #THROW}. */
    DEFAULT,

    /** The call fails with a {@link io.dynamolock.LockTimeoutException}; the method is not entered. */
    THROW,

    /**
     * The method is not entered, and the call returns nothing: {@code null}, an empty {@code Optional}, collection (a
     * method that returns {@code Collection}, {@code List}, {@code Set} or {@code Map}) or array,
     * {@code 0} or {@code false}. A future completes with this value, and a stream without an element.
     */
    SKIP
}
