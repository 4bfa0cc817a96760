package io.dynamolock.spring.autoconfigure.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.autoconfigure.DynamoLockConnectionDetails;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactories;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.ComposeSources;
import org.springframework.boot.testcontainers.service.connection.ContainerSources;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.localstack.LocalStackContainer;
import org.testcontainers.utility.DockerImageName;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;

/**
 * What the locks are told of a container that nobody starts, through the factories that Spring Boot finds on the class
 * path. That a real one of DynamoDB Local is used is {@link DynamoDbLocalContainerTest}'s.
 */
class ConnectionsTest {

    private static final String LOCAL_STACK = "localstack/localstack:4.9";

    private static DynamoLockConnectionDetails details(Object source) {
        Map<Class<?>, ConnectionDetails> all = new ConnectionDetailsFactories(ConnectionsTest.class.getClassLoader())
                .getConnectionDetails(source, true);
        return (DynamoLockConnectionDetails) all.get(DynamoLockConnectionDetails.class);
    }

    private static boolean isKnown(Object source) {
        return new ConnectionDetailsFactories(ConnectionsTest.class.getClassLoader())
                .getConnectionDetails(source, false)
                .containsKey(DynamoLockConnectionDetails.class);
    }

    private static final class AnyContainer extends GenericContainer<AnyContainer> {

        private final String image;
        private final int port;

        AnyContainer(String image, int port) {
            super(DockerImageName.parse(image));
            this.image = image;
            this.port = port;
        }

        /** Without Docker. */
        @Override
        public void start() {}

        @Override
        public String getDockerImageName() {
            return image;
        }

        @Override
        public String getHost() {
            return "there";
        }

        @Override
        public Integer getMappedPort(int asked) {
            assertThat(asked).isEqualTo(port);
            return 32_768;
        }
    }

    private static final class OfLocalStack extends LocalStackContainer {

        OfLocalStack() {
            super(DockerImageName.parse(LOCAL_STACK));
        }

        /** Without Docker. */
        @Override
        public void start() {}

        @Override
        public String getDockerImageName() {
            return LOCAL_STACK;
        }

        @Override
        public String getHost() {
            return "there";
        }

        @Override
        public Integer getMappedPort(int asked) {
            assertThat(asked).isEqualTo(4566);
            return 32_769;
        }
    }

    private static DynamoLockConnectionDetails ofContainer(String image, AnyContainer container) {
        return details(ContainerSources.of(AnyContainer.class, image, container));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amazon/dynamodb-local",
                "amazon/dynamodb-local:3.1.0",
                "registry.example.org:5000/amazon/dynamodb-local",
                "public.ecr.aws/aws-dynamodb-local/aws-dynamodb-local:latest"
            })
    void aContainerOfDynamoDbLocalSaysWhereItIsAndLeavesTheRest(String image) throws Exception {
        DynamoLockConnectionDetails details = ready(ofContainer(image, new AnyContainer(image, 8000)));
        assertThat(details.endpoint()).isEqualTo(URI.create("http://there:32768"));
        assertThat(details.region()).isNull();
        assertThat(details.credentials()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localstack/localstack:4.9", "localstack/localstack-pro"})
    void aContainerOfLocalStackSaysAllThatItsTablesDependOn(String image) throws Exception {
        AnyContainer container = new AnyContainer(image, 4566)
                .withEnv("DEFAULT_REGION", "eu-west-3")
                .withEnv("AWS_ACCESS_KEY_ID", "me");
        DynamoLockConnectionDetails details = ready(ofContainer(image, container));
        assertThat(details.endpoint()).isEqualTo(URI.create("http://there:32768"));
        assertThat(details.region()).isEqualTo("eu-west-3");
        assertThat(details.credentials().resolveCredentials()).isEqualTo(AwsBasicCredentials.create("me", "test"));
    }

    @Test
    void theContainerClassOfLocalStackIsToldTheSameAsItTellsOthers() throws Exception {
        // The constructor of that class looks for the socket of Docker.
        Docker.orSkip("ConnectionsTest", "@ServiceConnection was not tested on Testcontainers' LocalStackContainer");
        OfLocalStack container = new OfLocalStack();
        DynamoLockConnectionDetails details =
                ready(details(ContainerSources.of(OfLocalStack.class, LOCAL_STACK, container)));
        assertThat(details.endpoint()).isEqualTo(URI.create("http://there:32769"));
        assertThat(details.region()).isEqualTo(container.getRegion());
        assertThat(details.credentials().resolveCredentials())
                .isEqualTo(AwsBasicCredentials.create(container.getAccessKey(), container.getSecretKey()));
    }

    @Test
    void otherContainersAreNotTakenForDynamoDb() {
        assertThat(isKnown(ContainerSources.of(AnyContainer.class, "redis:8", new AnyContainer("redis:8", 6379))))
                .isFalse();
        assertThat(isKnown(ComposeSources.of(new Service("redis:8", 6379, Map.of(), Map.of()))))
                .isFalse();
    }

    /** A service of Docker Compose that runs, as Spring Boot has read it. */
    private record Service(String of, int port, Map<String, String> env, Map<String, String> labels)
            implements RunningService {

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

    @ParameterizedTest
    @ValueSource(strings = {"amazon/dynamodb-local:latest", "public.ecr.aws/aws-dynamodb-local/aws-dynamodb-local"})
    void aServiceOfComposeWithDynamoDbLocalSaysWhereItIsAndLeavesTheRest(String image) {
        DynamoLockConnectionDetails details = details(ComposeSources.of(new Service(image, 8000, Map.of(), Map.of())));
        assertThat(details.endpoint()).isEqualTo(URI.create("http://127.0.0.1:32770"));
        assertThat(details.region()).isNull();
        assertThat(details.credentials()).isNull();
    }

    @Test
    void aServiceOfComposeWithAnImageOfOnesOwnIsNamedByItsLabel() {
        DynamoLockConnectionDetails details = details(ComposeSources.of(new Service(
                "our/database:1",
                8000,
                Map.of(),
                Map.of("org.springframework.boot.service-connection", "amazon/dynamodb-local"))));
        assertThat(details.endpoint()).isEqualTo(URI.create("http://127.0.0.1:32770"));
    }

    @Test
    void aServiceOfComposeWithLocalStackSaysAllThatItsTablesDependOn() {
        Map<String, String> environment =
                Map.of("AWS_DEFAULT_REGION", "eu-west-3", "AWS_ACCESS_KEY_ID", "me", "AWS_SECRET_ACCESS_KEY", "mine");
        DynamoLockConnectionDetails details =
                details(ComposeSources.of(new Service("localstack/localstack:4.9", 4566, environment, Map.of())));
        assertThat(details.endpoint()).isEqualTo(URI.create("http://127.0.0.1:32770"));
        assertThat(details.region()).isEqualTo("eu-west-3");
        assertThat(details.credentials().resolveCredentials()).isEqualTo(AwsBasicCredentials.create("me", "mine"));
    }

    /** As the context does with the bean. */
    private static DynamoLockConnectionDetails ready(DynamoLockConnectionDetails details) throws Exception {
        ((InitializingBean) details).afterPropertiesSet();
        return details;
    }
}
