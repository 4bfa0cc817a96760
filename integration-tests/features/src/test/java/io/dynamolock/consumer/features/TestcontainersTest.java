package io.dynamolock.consumer.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.autoconfigure.DynamoLockConnectionDetails;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** What the locks are told of a container that nobody starts. */
@SpringBootTest(webEnvironment = WebEnvironment.NONE, classes = TestcontainersTest.Application.class)
class TestcontainersTest {

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(ServiceConnectionAutoConfiguration.class)
    static class Application {

        @Bean
        @ServiceConnection(name = "amazon/dynamodb-local")
        DynamoDbLocal dynamoDb() {
            return new DynamoDbLocal();
        }
    }

    static final class DynamoDbLocal extends GenericContainer<DynamoDbLocal> {

        DynamoDbLocal() {
            super(DockerImageName.parse("amazon/dynamodb-local"));
        }

        /** Without Docker. */
        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return true;
        }

        @Override
        public String getHost() {
            return "there";
        }

        @Override
        public Integer getMappedPort(int port) {
            assertThat(port).isEqualTo(8000);
            return 32_768;
        }
    }

    @Autowired
    private DynamoLockConnectionDetails details;

    @Test
    void aContainerOfDynamoDbLocalSaysWhereItIs() {
        assertThat(details.endpoint()).isEqualTo(URI.create("http://there:32768"));
    }
}
