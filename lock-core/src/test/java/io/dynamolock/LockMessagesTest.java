package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.registry.AdoptableLock;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("the setting is the process's")
class LockMessagesTest {

    private static final String KEY = "alice@example.org";
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualTime time = new ManualTime();
    private final LockRegistry locks =
            RegistryBuilder.of(new InMemoryLockStore()).owner("till-7").on(time).build();
    private final LockRequest request = LockRequest.of(KEY).name("orders").waitTime(MINUTE);
    private final List<String> messages = new ArrayList<>();

    @BeforeEach
    void hide() {
        LockMessages.showKeys(false);
    }

    @AfterEach
    void showAgain() {
        LockMessages.showKeys(true);
        time.close(locks);
    }

    private void fails(ThrowingCallable call) {
        Throwable failure = catchThrowable(call);
        assertThat(failure).isNotNull();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            messages.add(cause.toString());
        }
    }

    @Test
    void hiddenKeysAreInNoMessageAndNoText() {
        LockHandle handle = locks.acquire(request);
        fails(() -> locks.acquire(request.waitTime(Duration.ZERO)));
        fails(() -> request.maxHold(Duration.ZERO));
        fails(() -> locks.acquireAll(List.of(request, request)));
        fails(() -> locks.lock(request).unlock());
        fails(() -> handle.downgrade());
        fails(() -> locks.admin().evict(KEY, "default", KEY));
        handle.close();
        fails(handle::ensureValid);
        fails(() -> locks.acquire(LockRequest.of("none:" + KEY).onlyIfExists()));
        locks.admin().pause();
        fails(() -> locks.acquire(request.waitTime(Duration.ZERO)));
        locks.close();
        fails(() -> locks.acquire(request));
        messages.add(request.toString());
        messages.add(handle.toString());

        assertThat(messages)
                .hasSizeGreaterThan(10)
                .noneMatch(message -> message.contains("alice") || message.contains("till-7"));
        assertThat(messages).anyMatch(message -> message.contains("lock \"orders\" (#"));
    }

    @Test
    void aTimeoutNamesNoCallerIfKeysAreHidden() {
        LockHandle held = locks.acquire(request.caller("Alice Smith"));
        CompletableFuture<LockHandle> waiting = locks.acquireAsync(request.waitTime(Duration.ofSeconds(1)));
        time.advanceUntil(Duration.ofSeconds(1), waiting::isDone);

        assertThatThrownBy(waiting::join)
                .hasMessageContaining("This very process holds it, for #")
                .hasMessageNotContaining("Alice");
        assertThat(held.isValid()).isTrue();
    }

    @Test
    void theTextOfARequestHidesItsCallerAndItsData() {
        LockRequest personal = request.caller("Alice Smith").data(LockData.of("alice's order"));
        assertThat(personal.toString()).contains("caller=#", "data=").doesNotContainIgnoringCase("alice");
        LockMessages.showKeys(true);
        assertThat(personal.toString()).contains("caller=Alice Smith").doesNotContain("alice's order");
    }

    @Test
    void noMessageNamesAThreadOrAProcessIfKeysAreHidden() throws InterruptedException {
        AdoptableLock lock = (AdoptableLock) locks.lock(request);
        CompletableFuture<LockHandle> locked = new CompletableFuture<>();
        CountDownLatch end = new CountDownLatch(1);
        Thread alice = new Thread(
                () -> {
                    lock.lock();
                    locked.complete(lock.handle().orElseThrow());
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "till of Alice");
        alice.start();
        fails(() -> lock.adopt(locked.join()));
        end.countDown();
        alice.join();
        fails(() -> RegistryBuilder.of(new InMemoryLockStore())
                .owner("till\n of Alice")
                .build());

        assertThat(messages).hasSize(2).noneMatch(message -> message.contains("Alice"));
        assertThat(messages).anyMatch(message -> message.contains("The thread #"));
    }

    @Test
    void whateverCallersAreToldHasTheNameOfTheLockBesideAHiddenKey() {
        LockHandle handle = locks.acquire(request);
        fails(() -> locks.acquire(request.waitTime(Duration.ZERO)));
        handle.close();
        fails(handle::ensureValid);
        fails(() -> locks.acquire(LockRequest.of("never used").name("orders").onlyIfExists()));
        fails(() -> locks.acquireAll(List.of(request, request)));
        fails(() -> request.maxHold(Duration.ZERO));
        fails(() -> locks.acquire(request.mode(LockMode.SHARED).data(LockData.of("d"))));
        interrupted(() -> locks.acquire(request));
        interrupted(() -> locks.acquireAll(List.of(request)));
        locks.admin().pause();
        fails(() -> locks.acquire(request.waitTime(Duration.ZERO)));
        locks.close();
        fails(() -> locks.acquire(request));
        fails(() -> locks.lock(request).lock());
        messages.add(new LockEvictedException(KEY, "default", "orders", MINUTE).getMessage());
        messages.add(new LockPermitsException(KEY, "default", "orders", 2, 3).getMessage());

        assertThat(messages)
                .filteredOn(message -> !message.startsWith("java.lang.InterruptedException"))
                .hasSize(13)
                .allMatch(message -> message.contains("lock \"orders\" (#"));
    }

    private void interrupted(ThrowingCallable call) {
        Thread.currentThread().interrupt();
        try {
            fails(call);
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void aHashTellsLocksApart() {
        assertThat(LockMessages.hash("a", "n")).hasSize(16).isNotEqualTo(LockMessages.hash("b", "n"));
        assertThat(LockMessages.key(KEY, "n")).isEqualTo("#" + LockMessages.hash(KEY, "n"));
        LockMessages.showKeys(true);
        assertThat(LockMessages.key(KEY, "n")).isEqualTo("\"" + KEY + "\"");
    }
}
