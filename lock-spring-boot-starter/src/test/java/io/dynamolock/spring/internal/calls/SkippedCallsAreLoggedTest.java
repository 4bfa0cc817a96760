package io.dynamolock.spring.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnTimeout;
import io.dynamolock.spring.aspect.AspectContext;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.Schedules;
import reactor.core.publisher.Mono;

/** A skipped call tells nobody but the log. */
@ExtendWith(OutputCaptureExtension.class)
class SkippedCallsAreLoggedTest {

    private static final LoggingSystem LOGS = LoggingSystem.get(SkippedCallsAreLoggedTest.class.getClassLoader());

    @AutoClose
    private final AspectContext context = new AspectContext(Jobs.class);

    private final Jobs jobs = context.bean(Jobs.class);

    {
        context.locks.timesOut = true;
    }

    @AfterEach
    void asBefore() {
        LOGS.setLogLevel(DynamoLocked.class.getName(), null);
    }

    static class Jobs {

        @Scheduled(fixedRate = 1_000)
        @DynamoLocked(key = "'nightly'", waitTime = "0", onTimeout = OnTimeout.SKIP)
        public void scheduled() {}

        @Schedules({@Scheduled(fixedRate = 1_000), @Scheduled(cron = "0 0 3 * * *")})
        @DynamoLocked(key = "'twice'", waitTime = "0", onTimeout = OnTimeout.SKIP)
        public Mono<String> scheduledTwice() {
            return Mono.just("");
        }

        @DynamoLocked(key = "'called'", waitTime = "0", onTimeout = OnTimeout.SKIP)
        public Optional<String> called() {
            return Optional.empty();
        }

        @DynamoLocked(key = "'later'", waitTime = "0", onTimeout = OnTimeout.SKIP)
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture("");
        }
    }

    @Test
    void eachSkipOfAScheduledMethodIsALineWithTheLock(CapturedOutput output) {
        jobs.scheduled();
        jobs.scheduled();
        jobs.scheduledTwice().block();
        assertThat(output.toString().lines().filter(line -> line.contains("is skipped")))
                .hasSize(3)
                .allMatch(line -> line.contains("INFO"))
                .first()
                .asString()
                .contains("Jobs.scheduled() is skipped. Did not get the lock \"nightly\"");
    }

    @Test
    void theSkipOfAMethodThatIsCalledIsALineForThoseWhoLook(CapturedOutput output) {
        LOGS.setLogLevel(DynamoLocked.class.getName(), LogLevel.INFO);
        jobs.called();
        assertThat(output).doesNotContain("is skipped");

        LOGS.setLogLevel(DynamoLocked.class.getName(), LogLevel.DEBUG);
        assertThat(LoggerFactory.getLogger(DynamoLocked.class).isDebugEnabled()).isTrue();
        jobs.called();
        jobs.future().join();
        assertThat(output)
                .contains("Jobs.called() is skipped. Did not get the lock \"called\"")
                .contains("Jobs.future() is skipped. Did not get the lock \"later\"");
    }
}
