package io.dynamolock.internal.store.dynamodb;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.ResolveIdentityRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * The credentials that the client has been given. A failure of their provider becomes a {@link CredentialsFailure}.
 * Requests carry this object, because only the settings of a request can stand between a client and its provider.
 *
 * @param provider of the client; it keeps the credentials until they expire, so nothing is kept here
 */
record CredentialsOfClient(IdentityProvider<? extends AwsCredentialsIdentity> provider)
        implements IdentityProvider<AwsCredentialsIdentity> {

    /** The credentials of this client; {@code null} if the client does not tell, such as a mock. */
    static @Nullable CredentialsOfClient of(DynamoDbAsyncClient client) {
        try {
            IdentityProvider<? extends AwsCredentialsIdentity> provider =
                    client.serviceClientConfiguration().credentialsProvider();
            return provider == null ? null : new CredentialsOfClient(provider);
        } catch (RuntimeException aClientThatDoesNotTell) {
            return null;
        }
    }

    @Override
    public Class<AwsCredentialsIdentity> identityType() {
        return AwsCredentialsIdentity.class;
    }

    @Override
    public CompletableFuture<AwsCredentialsIdentity> resolveIdentity(ResolveIdentityRequest request) {
        try {
            return provider.resolveIdentity(request).handle((identity, failure) -> {
                if (failure != null) {
                    throw new CompletionException(new CredentialsFailure(DynamoFailures.unwrap(failure)));
                }
                return identity;
            });
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(new CredentialsFailure(failure));
        }
    }
}
