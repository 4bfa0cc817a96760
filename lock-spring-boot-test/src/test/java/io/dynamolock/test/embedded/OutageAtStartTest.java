package io.dynamolock.test.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockTable;
import io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class OutageAtStartTest {

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(DynamoLockAutoConfiguration.class));

    @Test
    void anApplicationThatStartedWithoutDynamoDbLocksAsSoonAsItIsBack(CapturedOutput output) throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        runner.withPropertyValues("dynamolock.aws.endpoint=http://localhost:" + port)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output).contains("because an outage of DynamoDB does not stop it");
                    try (EmbeddedDynamoDb back = EmbeddedDynamoDb.start(port)) {
                        assertThat(back.port()).isEqualTo(port);
                        context.getBean(LockTable.class).create();
                        try (LockHandle held =
                                context.getBean(LockRegistry.class).acquire("42", Duration.ofSeconds(30))) {
                            assertThat(held.isValid()).isTrue();
                        }
                    }
                });
    }
}
