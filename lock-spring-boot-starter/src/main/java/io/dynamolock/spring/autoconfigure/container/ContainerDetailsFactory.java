package io.dynamolock.spring.autoconfigure.container;

import io.dynamolock.spring.autoconfigure.DynamoLockConnectionDetails;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.Container;

/** For {@code @ServiceConnection} on a container, of whatever class. */
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
        return new Details(source, kind);
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

    /** Asks the container only when somebody wants to know: before that it may not run. */
    private static final class Details extends ContainerConnectionDetails<Container<?>>
            implements DynamoLockConnectionDetails {

        private final LocalDynamoDb kind;

        private Details(ContainerConnectionSource<Container<?>> source, LocalDynamoDb kind) {
            super(source);
            this.kind = kind;
        }

        @Override
        public URI endpoint() {
            return URI.create(
                    "http://" + getContainer().getHost() + ":" + getContainer().getMappedPort(kind.port()));
        }

        @Override
        public @Nullable String region() {
            return kind.region(getContainer().getEnvMap()::get);
        }

        @Override
        public @Nullable String accessKeyId() {
            return kind.accessKeyId(getContainer().getEnvMap()::get);
        }

        @Override
        public @Nullable String secretAccessKey() {
            return kind.secretAccessKey(getContainer().getEnvMap()::get);
        }
    }
}
