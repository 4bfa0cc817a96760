package io.dynamolock.spring.autoconfigure.container;

import io.dynamolock.spring.autoconfigure.DynamoLockConnectionDetails;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.Container;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/** Connection details of a container with {@code @ServiceConnection}, whatever the class of the container. */
abstract class ContainerDetailsFactory
        extends ContainerConnectionDetailsFactory<Container<?>, DynamoLockConnectionDetails> {

    private final LocalDynamoDb kind;

    ContainerDetailsFactory(LocalDynamoDb kind) {
        super(List.of(kind.images()));
        this.kind = kind;
    }

    @Override
    protected DynamoLockConnectionDetails getContainerConnectionDetails(
            ContainerConnectionSource<Container<?>> source) {
        return new Details(source);
    }

    static final class OfDynamoDbLocal extends ContainerDetailsFactory {

        OfDynamoDbLocal() {
            super(LocalDynamoDb.DYNAMO_DB_LOCAL);
        }
    }

    static final class OfLocalStack extends ContainerDetailsFactory {

        OfLocalStack() {
            super(LocalDynamoDb.LOCAL_STACK);
        }
    }

    /** Asks the container as late as possible: it may not run yet when this is made. */
    private final class Details extends ContainerConnectionDetails<Container<?>>
            implements DynamoLockConnectionDetails {

        private Details(ContainerConnectionSource<Container<?>> source) {
            super(source);
        }

        private DynamoLockConnectionDetails known() {
            Container<?> container = getContainer();
            return kind.at(container.getHost(), container.getMappedPort(kind.port()), container.getEnvMap());
        }

        @Override
        public @Nullable URI endpoint() {
            return known().endpoint();
        }

        @Override
        public @Nullable String region() {
            return known().region();
        }

        @Override
        public @Nullable AwsCredentialsProvider credentials() {
            return known().credentials();
        }
    }
}
