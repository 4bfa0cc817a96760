package io.dynamolock.consumer.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.autoconfigure.DynamoLockConnectionDetails;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactories;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.ComposeSources;

/** What the locks are told of a service that nobody starts. */
class DockerComposeTest {

    private record Service(String of, int port, Map<String, String> env) implements RunningService {

        @Override
        public String name() {
            return "project-database-1";
        }

        @Override
        public ImageReference image() {
            return ImageReference.of(of);
        }

        @Override
        public String host() {
            return "127.0.0.1";
        }

        @Override
        public Map<String, String> labels() {
            return Map.of();
        }

        @Override
        public ConnectionPorts ports() {
            return new ConnectionPorts() {
                @Override
                public int get(int containerPort) {
                    assertThat(containerPort).isEqualTo(port);
                    return 32_770;
                }

                @Override
                public List<Integer> getAll() {
                    return List.of(32_770);
                }

                @Override
                public List<Integer> getAll(String protocol) {
                    return getAll();
                }
            };
        }
    }

    private static DynamoLockConnectionDetails details(Service service) {
        return (DynamoLockConnectionDetails) new ConnectionDetailsFactories(DockerComposeTest.class.getClassLoader())
                .getConnectionDetails(ComposeSources.of(service), true)
                .get(DynamoLockConnectionDetails.class);
    }

    @Test
    void aServiceWithDynamoDbLocalSaysWhereItIs() {
        DynamoLockConnectionDetails details = details(new Service("amazon/dynamodb-local:latest", 8000, Map.of()));
        assertThat(details.endpoint()).isEqualTo(URI.create("http://127.0.0.1:32770"));
    }

    @Test
    void aServiceWithLocalStackSaysItsRegion() {
        DynamoLockConnectionDetails details =
                details(new Service("localstack/localstack:4.9", 4566, Map.of("AWS_DEFAULT_REGION", "eu-west-3")));
        assertThat(details.region()).isEqualTo("eu-west-3");
    }
}
