package io.dynamolock.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockTable;
import io.dynamolock.spring.annotation.DynamoLocked;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** An application that adds the two modules and nothing else. */
@SpringBootTest(properties = "dynamolock.store=embedded")
class EmbeddedTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Work work() {
            return new Work();
        }
    }

    static class Work {

        @DynamoLocked(key = "#id")
        public long token(String id, LockRegistry locks) {
            return locks.admin().held().get(0).fencingToken();
        }
    }

    @Autowired
    private Work work;

    @Autowired
    private LockRegistry locks;

    @Autowired
    private LockTable table;

    @Test
    void theAwsSdkIsThereInOneVersion() throws IOException {
        TreeMap<String, List<String>> modulesByVersion = new TreeMap<>();
        for (Resource each : new PathMatchingResourcePatternResolver()
                .getResources("classpath*:META-INF/maven/software.amazon.awssdk/*/pom.properties")) {
            Properties module = new Properties();
            try (InputStream text = each.getInputStream()) {
                module.load(text);
            }
            modulesByVersion
                    .computeIfAbsent(module.getProperty("version"), version -> new ArrayList<>())
                    .add(module.getProperty("artifactId"));
        }
        assertThat(modulesByVersion).hasSize(1);
        assertThat(modulesByVersion.firstEntry().getValue())
                .contains("dynamodb", "sdk-core", "apache5-client")
                .doesNotContain("pinpoint", "cognitoidentity");
    }

    @Test
    void locksWorkOnDynamoDbInThisProcess() {
        table.check();
        assertThat(work.token("42", locks)).isLessThan(work.token("42", locks));
        try (LockHandle held = locks.acquire("42", Duration.ofSeconds(10))) {
            assertThat(held.isValid()).isTrue();
            assertThat(locks.admin().inspect("42").holder()).isPresent();
        }
    }
}
