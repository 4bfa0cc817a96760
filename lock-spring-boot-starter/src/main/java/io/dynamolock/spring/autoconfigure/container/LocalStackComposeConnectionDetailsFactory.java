package io.dynamolock.spring.autoconfigure.container;

import io.dynamolock.spring.autoconfigure.DynamoLockConnectionDetails;
import java.net.URI;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/** For a service of Docker Compose with LocalStack. */
final class LocalStackComposeConnectionDetailsFactory
        extends DockerComposeConnectionDetailsFactory<DynamoLockConnectionDetails> {

    LocalStackComposeConnectionDetailsFactory() {
        super(Image.localStack());
    }

    @Override
    protected DynamoLockConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
        return new Details(source.getRunningService());
    }

    private static final class Details extends DockerComposeConnectionDetails implements DynamoLockConnectionDetails {

        private final URI endpoint;
        private final LocalStackSettings settings;

        private Details(RunningService service) {
            super(service);
            this.endpoint = Endpoint.of(service.host(), service.ports().get(Image.LOCAL_STACK_PORT));
            this.settings = LocalStackSettings.of(service.env()::get);
        }

        @Override
        public URI endpoint() {
            return endpoint;
        }

        @Override
        public String region() {
            return settings.region();
        }

        @Override
        public String accessKeyId() {
            return settings.accessKeyId();
        }

        @Override
        public String secretAccessKey() {
            return settings.secretAccessKey();
        }
    }
}
