package io.dynamolock.consumer.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The starter brings no HTTP client for asynchronous calls. */
@ExtendWith(OutputCaptureExtension.class)
class AsynchronousClientTest {

    @Configuration
    @EnableAutoConfiguration
    static class Application {

        @Bean
        DynamoDbAsyncClient client() {
            return DynamoDbAsyncClient.builder().region(Region.EU_WEST_1).build();
        }
    }

    @Test
    void anAsynchronousClientIsToldWhichDependencyItNeeds(CapturedOutput output) {
        assertThatThrownBy(() -> SpringApplication.run(Application.class, "--dynamolock.store=dynamodb"))
                .isInstanceOf(Exception.class);
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("add the dependency software.amazon.awssdk:netty-nio-client");
    }
}
