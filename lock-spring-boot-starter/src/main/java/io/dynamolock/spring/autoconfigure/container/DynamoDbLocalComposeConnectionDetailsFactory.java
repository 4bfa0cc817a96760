package io.dynamolock.spring.autoconfigure.container;

import io.dynamolock.spring.autoconfigure.DynamoLockConnectionDetails;
import java.net.URI;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/** For a service of Docker Compose with DynamoDB Local. Region and credentials are left to the next source. */
final class DynamoDbLocalComposeConnectionDetailsFactory
        extends DockerComposeConnectionDetailsFactory<DynamoLockConnectionDetails> {

    DynamoDbLocalComposeConnectionDetailsFactory() {
        super(Image.dynamoDbLocal());
    }

    @Override
    protected DynamoLockConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
        return new Details(source.getRunningService());
    }

    private static final class Details extends DockerComposeConnectionDetails implements DynamoLockConnectionDetails {

        private final URI endpoint;

        private Details(RunningService service) {
            super(service);
            this.endpoint = Endpoint.of(service.host(), service.ports().get(Image.DYNAMO_DB_LOCAL_PORT));
        }

        @Override
        public URI endpoint() {
            return endpoint;
        }
    }
}
