package io.dynamolock.spring.autoconfigure.container;

import io.dynamolock.spring.autoconfigure.DynamoLockConnectionDetails;
import java.net.URI;
import java.util.List;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.Container;

/**
 * For {@code @ServiceConnection} on a container of DynamoDB Local. Region and credentials are left to the next source:
 * by default it keeps the tables of each apart, and the application's clients should see those of the locks.
 */
final class DynamoDbLocalContainerConnectionDetailsFactory
        extends ContainerConnectionDetailsFactory<Container<?>, DynamoLockConnectionDetails> {

    DynamoDbLocalContainerConnectionDetailsFactory() {
        super(List.of(Image.dynamoDbLocal()));
    }

    @Override
    protected DynamoLockConnectionDetails getContainerConnectionDetails(
            ContainerConnectionSource<Container<?>> source) {
        return new Details(source);
    }

    private static final class Details extends ContainerConnectionDetails<Container<?>>
            implements DynamoLockConnectionDetails {

        private Details(ContainerConnectionSource<Container<?>> source) {
            super(source);
        }

        @Override
        public URI endpoint() {
            return Endpoint.of(getContainer().getHost(), getContainer().getMappedPort(Image.DYNAMO_DB_LOCAL_PORT));
        }
    }
}
