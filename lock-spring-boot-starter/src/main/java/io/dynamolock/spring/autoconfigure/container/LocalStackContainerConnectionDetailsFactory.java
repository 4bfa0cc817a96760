package io.dynamolock.spring.autoconfigure.container;

import io.dynamolock.spring.autoconfigure.DynamoLockConnectionDetails;
import java.net.URI;
import java.util.List;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.Container;

/** For {@code @ServiceConnection} on a container of LocalStack, of whatever class. */
final class LocalStackContainerConnectionDetailsFactory
        extends ContainerConnectionDetailsFactory<Container<?>, DynamoLockConnectionDetails> {

    LocalStackContainerConnectionDetailsFactory() {
        super(List.of(Image.localStack()));
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
            return Endpoint.of(getContainer().getHost(), getContainer().getMappedPort(Image.LOCAL_STACK_PORT));
        }

        @Override
        public String region() {
            return settings().region();
        }

        @Override
        public String accessKeyId() {
            return settings().accessKeyId();
        }

        @Override
        public String secretAccessKey() {
            return settings().secretAccessKey();
        }

        private LocalStackSettings settings() {
            return LocalStackSettings.of(getContainer().getEnvMap()::get);
        }
    }
}
