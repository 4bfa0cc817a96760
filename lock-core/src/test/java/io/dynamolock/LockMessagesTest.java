package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    void aHashTellsLocksApart() {
        assertThat(LockMessages.hash("a", "n")).hasSize(16).isNotEqualTo(LockMessages.hash("b", "n"));
        assertThat(LockMessages.key(KEY, "n")).isEqualTo("#" + LockMessages.hash(KEY, "n"));
        LockMessages.showKeys(true);
        assertThat(LockMessages.key(KEY, "n")).isEqualTo("\"" + KEY + "\"");
    }
}
