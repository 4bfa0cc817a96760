package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.embedded.EmbeddedDynamoDb;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Keeps a client of the real DynamoDB out of an application that asked for the embedded one. */
final class EmbeddedClients {

    private EmbeddedClients() {}

    static void refuseOtherThan(@Nullable EmbeddedDynamoDb embedded, LockClient client) {
        if (embedded == null) {
            return;
        }
        URI endpoint = client.configuration().endpointOverride().orElse(null);
        if (endpoint == null || endpoint.getPort() != embedded.port()) {
            throw new ForeignClientException(
                    "dynamo-lock.store=embedded starts a DynamoDB Local in this process, but the application has a"
                            + " DynamoDB client bean of its own that goes to "
                            + (endpoint == null ? "AWS" : endpoint)
                            + ".");
        }
    }

    /** Said by {@link ForeignClientFailureAnalyzer} in full. */
    static final class ForeignClientException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        ForeignClientException(String message) {
            super(message);
        }
    }
}
