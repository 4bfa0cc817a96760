package io.dynamolock.test.embedded;

import org.jspecify.annotations.Nullable;

/** DynamoDB Local could not be started in this process. */
public final class EmbeddedDynamoDbException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String remedy;

    EmbeddedDynamoDbException(String problem, String remedy, @Nullable Throwable cause) {
        super(problem, cause);
        this.remedy = remedy;
    }

    /** What to change. */
    public String remedy() {
        return remedy;
    }
}
