package io.dynamolock.spring.autoconfigure;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/**
 * A bean that says where the locks' DynamoDB is, for details that are known only when the application starts, such as
 * the port of a container. It takes precedence over the properties {@code dynamolock.aws.*}. A detail that it leaves
 * out comes from the properties, or from the next source that {@code docs/configuration.md} lists. Called by the thread
 * that starts the application.
 */
public interface DynamoLockConnectionDetails extends ConnectionDetails {

    /** The full address of DynamoDB, such as {@code http://localhost:8000}; null to leave it out. */
    default @Nullable URI endpoint() {
        return null;
    }

    /** The AWS region; null to leave it out. */
    default @Nullable String region() {
        return null;
    }

    /** The credentials; null to leave them out. */
    default @Nullable AwsCredentialsProvider credentials() {
        return null;
    }
}
