package io.dynamolock.spring.autoconfigure.container;

import io.dynamolock.spring.autoconfigure.DynamoLockConnectionDetails;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/** Connection details of a service of Docker Compose. */
abstract class ComposeDetailsFactory extends DockerComposeConnectionDetailsFactory<DynamoLockConnectionDetails> {

    private final LocalDynamoDb kind;

    ComposeDetailsFactory(LocalDynamoDb kind) {
        super(kind.images());
        this.kind = kind;
    }

    @Override
    protected DynamoLockConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
        RunningService service = source.getRunningService();
        return kind.at(service.host(), service.ports().get(kind.port()), service.env());
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
}
