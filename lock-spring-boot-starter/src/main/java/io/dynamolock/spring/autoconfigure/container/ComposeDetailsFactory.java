package io.dynamolock.spring.autoconfigure.container;

import io.dynamolock.spring.autoconfigure.DynamoLockConnectionDetails;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/** For a service of Docker Compose. */
abstract class ComposeDetailsFactory extends DockerComposeConnectionDetailsFactory<DynamoLockConnectionDetails> {

    private final LocalDynamoDb kind;

    ComposeDetailsFactory(LocalDynamoDb kind) {
        super(kind.images());
        this.kind = kind;
    }

    @Override
    protected DynamoLockConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
        return new Details(source.getRunningService(), kind);
    }

    static final class OfDynamoDbLocal extends ComposeDetailsFactory {

        OfDynamoDbLocal() {
            super(LocalDynamoDb.DYNAMO_DB_LOCAL);
        }
    }

    static final class OfLocalStack extends ComposeDetailsFactory {

        OfLocalStack() {
            super(LocalDynamoDb.LOCAL_STACK);
        }
    }

    private static final class Details extends DockerComposeConnectionDetails implements DynamoLockConnectionDetails {

        private final RunningService service;
        private final LocalDynamoDb kind;

        private Details(RunningService service, LocalDynamoDb kind) {
            super(service);
            this.service = service;
            this.kind = kind;
        }

        @Override
        public URI endpoint() {
            return URI.create("http://" + service.host() + ":" + service.ports().get(kind.port()));
        }

        @Override
        public @Nullable String region() {
            return kind.region(service.env()::get);
        }

        @Override
        public @Nullable String accessKeyId() {
            return kind.accessKeyId(service.env()::get);
        }

        @Override
        public @Nullable String secretAccessKey() {
            return kind.secretAccessKey(service.env()::get);
        }
    }
}
