package io.dynamolock.spring.autoconfigure.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockTable;
import io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.testcontainers.context.ImportTestcontainers;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** On the image that is published. */
@ExtendWith(OutputCaptureExtension.class)
class DynamoDbLocalContainerTest {

    @BeforeAll
    static void skipWithoutDocker() {
        Docker.orSkip(
                "DynamoDbLocalContainerTest", "@ServiceConnection was not tested on the container of DynamoDB Local");
    }

    /** As a test's configuration has it. */
    interface Containers {

        @ServiceConnection
        GenericContainer<?> DYNAMO_DB = new GenericContainer<>(
                        DockerImageName.parse(System.getProperty("dynamodb-local.image", "amazon/dynamodb-local")))
                .withExposedPorts(8000);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportTestcontainers(Containers.class)
    @ImportAutoConfiguration({ServiceConnectionAutoConfiguration.class, DynamoLockAutoConfiguration.class})
    static class Application {}

    @Test
    void theLocksLiveInTheContainerAndNotWhereThePropertiesOfProductionSay(CapturedOutput output) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = application.run(
                "--dynamolock.aws.endpoint=http://localhost:1",
                "--dynamolock.aws.region=eu-west-1",
                "--dynamolock.table.create=if-missing")) {
            context.getBean(LockTable.class).check();
            try (LockHandle held = context.getBean(LockRegistry.class).acquire("42", Duration.ofSeconds(20))) {
                assertThat(held.isValid()).isTrue();
            }
            assertThat(output)
                    .contains(":" + Containers.DYNAMO_DB.getMappedPort(8000)
                            + ", region eu-west-1, by a DynamoLockConnectionDetails bean");
        }
    }
}
