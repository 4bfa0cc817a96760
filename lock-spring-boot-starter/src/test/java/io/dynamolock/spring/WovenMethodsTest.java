package io.dynamolock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.transaction.annotation.Transactional;

/** Methods of woven classes that carry what Spring's proxies serve, which lie outside. AspectJ's part is played by hand. */
@ExtendWith(OutputCaptureExtension.class)
@SuppressWarnings("unused")
class WovenMethodsTest {

    private final LockedMethods methods = new LockedMethods(
            new LockedMethodReader(new DefaultListableBeanFactory(), text -> text, () -> Duration.ZERO));

    @BeforeEach
    void areWoven() {
        methods.readAsWoven();
    }

    static class Transfers {

        @Transactional
        @DynamoLocked(key = "'k'")
        public CompletableFuture<Void> run(String id) {
            return CompletableFuture.completedFuture(null);
        }

        private static Object run_aroundBody0(Transfers self, String id, Object joinPoint) {
            return self;
        }
    }

    @Test
    void aFutureWouldMissItsTransactionSoItIsRefused() {
        assertThatExceptionOfType(InvalidDynamoLockedException.class)
                .isThrownBy(() -> methods.existIn(Transfers.class))
                .withMessageContaining("Transfers.run(String): it is @Transactional and returns a future");
    }

    @Retryable
    static class Retried {

        @DynamoLocked(key = "'k'")
        public void run() {}

        private static void run_aroundBody0(Retried self, Object joinPoint) {}
    }

    @Test
    void retriesLieOutsideAndAWarningSaysSo(CapturedOutput output) {
        assertThat(methods.existIn(Retried.class)).isTrue();
        assertThat(output).contains("@DynamoLocked on Retried.run(): its retries lie outside of a woven lock.");
    }

    static class Overloaded {

        @DynamoLocked(key = "'k'")
        public void run(String id) {}

        @DynamoLocked(key = "'k'")
        public void run(int id) {}

        private static void run_aroundBody0(Overloaded self, String id, Object joinPoint) {}
    }

    @Test
    void eachMethodMustBeWoven() {
        assertThatExceptionOfType(InvalidDynamoLockedException.class)
                .isThrownBy(() -> methods.existIn(Overloaded.class))
                .withMessageContaining("Overloaded.run(int): AspectJ has not woven ");
    }
}
