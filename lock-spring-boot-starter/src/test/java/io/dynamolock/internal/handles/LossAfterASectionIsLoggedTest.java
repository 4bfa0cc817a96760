package io.dynamolock.internal.handles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.LockedProxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class LossAfterASectionIsLoggedTest {

    private final InMemoryLockStore table = new InMemoryLockStore();

    @AutoClose
    private final LockRegistry locks = RegistryBuilder.of(table).build();

    @Test
    void aLossThatOnlyTheAnswerToAReleaseShowsIsWarnedOfOnceWithoutTheKey(CapturedOutput output) throws Exception {
        CompletableFuture<Void> lost = new CompletableFuture<>();

        long token = locks.<Long, RuntimeException>withLock(
                LockRequest.of("secret-7").namespace("orders"), lock -> {
                    lock.onLost(() -> lost.complete(null));
                    table.removeLock(new LockKey("secret-7", "orders"));
                    return lock.fencingToken();
                });

        lost.get(20, TimeUnit.SECONDS);
        await().until(() -> !warnings(output).isEmpty());
        assertThat(warnings(output))
                .singleElement()
                .asString()
                .contains(
                        "\"orders\"",
                        "(fencing token " + token + ")",
                        "changed or deleted by hand",
                        "check the work of both",
                        "awaitRelease")
                .doesNotContain("secret-7");
    }

    @Test
    void aLossThatAnAwaitedReleaseOfAMethodShowsIsWarnedOf(CapturedOutput output) {
        Work work = work();
        work.blocking();
        assertThat(warnings(output)).hasSize(1);
        assertThat(work.future()).succeedsWithin(20, TimeUnit.SECONDS);
        assertThat(warnings(output)).hasSize(2).allMatch(line -> !line.contains("secret-7"));
    }

    @Test
    void aLossThatAnAwaitedReleaseOfASectionShowsIsThrownAndNotWarnedOf(CapturedOutput output) {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> locks.withLock(
                        LockRequest.of("secret-7").namespace("orders").awaitRelease(true),
                        () -> table.removeLock(new LockKey("secret-7", "orders"))));
        assertThat(warnings(output)).isEmpty();
    }

    @Test
    void aLossAfterAnInterruptedEndIsWarnedOf(CapturedOutput output) {
        work().interrupted();
        assertThat(Thread.interrupted()).isTrue();
        await().until(() -> warnings(output).size() == 1);
    }

    private Work work() {
        return LockedProxy.of(new Work(() -> table.removeLock(new LockKey("secret-7", "orders"))), locks);
    }

    @DynamoLocked(namespace = "orders", awaitRelease = true)
    static class Work {

        private final Runnable deletion;

        Work(Runnable deletion) {
            this.deletion = deletion;
        }

        @DynamoLocked(key = "'secret-7'")
        public void blocking() {
            deletion.run();
        }

        @DynamoLocked(key = "'secret-7'")
        public CompletableFuture<String> future() {
            deletion.run();
            return CompletableFuture.completedFuture("done");
        }

        @DynamoLocked(key = "'secret-7'")
        public void interrupted() {
            deletion.run();
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aReleaseThatFindsItsLockIsNotWarnedOf(CapturedOutput output) {
        locks.withLock(LockRequest.of("k").namespace("orders"), () -> {});
        locks.close();
        assertThat(warnings(output)).isEmpty();
    }

    private static List<String> warnings(CapturedOutput output) {
        return output.getOut()
                .lines()
                .filter(line -> line.contains("WARN") && line.contains("was lost before its release took effect"))
                .toList();
    }
}
