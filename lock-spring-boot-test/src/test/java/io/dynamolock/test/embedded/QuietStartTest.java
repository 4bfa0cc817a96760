package io.dynamolock.test.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A whole Spring Boot application, with meters and proxies, starts without a word of warning. */
@ExtendWith(OutputCaptureExtension.class)
class QuietStartTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Work work() {
            return new Work();
        }
    }

    static class Work {

        @DynamoLocked(key = "'k'")
        public int held(LockRegistry locks) {
            return locks.admin().held().size();
        }
    }

    @Test
    void warnsOfNothingButThatItExcludesNoOtherProcess(CapturedOutput output) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = application.run("--dynamolock.store=embedded")) {
            assertThat(context.getBean(Work.class).held(context.getBean(LockRegistry.class)))
                    .isEqualTo(1);
        }
        // The cleaner speaks of handles that other tests of this process dropped.
        assertThat(output.toString().lines())
                .filteredOn(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                .filteredOn(line -> !line.contains("Cleaner-"))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("no other process is excluded");
        assertThat(output).contains("DynamoDB Local runs in this process");
        // Not one line for every request.
        assertThat(output).doesNotContain("target: ");
    }
}
