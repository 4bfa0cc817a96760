package io.dynamolock.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Several locks with the real engine: a call that does not get them all leaves nothing of itself. */
class SeveralLocksInMemoryTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final LockData DATA = LockData.of("all are mine");

    private final InMemoryLockStore table = new InMemoryLockStore();

    @AutoClose
    private final LockRegistry locks = RegistryBuilder.of(table).build();

    @AutoClose
    private final LockRegistry others = RegistryBuilder.of(table).build();

    private static LockRequest kept(String key) {
        return LockRequest.of(key).holdAtLeast(LONG).data(DATA);
    }

    @Test
    void aLockThatIsGivenBackIsNotKeptAndItsDataIsUnchanged() {
        try (LockHandle inTheWay = others.acquire("b", Duration.ZERO)) {
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(
                            () -> locks.acquireAll(List.of(kept("a"), kept("b").waitTime(Duration.ZERO))));
            assertFree("a");

            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> locks.acquireAllAsync(
                                    List.of(kept("c"), kept("b").waitTime(Duration.ZERO)))
                            .join())
                    .withCauseInstanceOf(LockTimeoutException.class);
            assertFree("c");
            assertThat(inTheWay.isValid()).isTrue();
        }
    }

    @Test
    void aCallThatIsCancelledDuringItsWaitKeepsNoLock() {
        try (LockHandle inTheWay = others.acquire("b", Duration.ZERO)) {
            CompletableFuture<List<LockHandle>> asked = waitsForTheSecond();

            asked.cancel(false);

            await().until(() -> locks.admin().held().isEmpty());
            untilFree("a");
            assertThat(inTheWay.isValid()).isTrue();
        }
    }

    @Test
    void closingTheRegistryDuringTheWaitKeepsNoLock() {
        try (LockHandle inTheWay = others.acquire("b", Duration.ZERO)) {
            CompletableFuture<List<LockHandle>> asked = waitsForTheSecond();

            locks.close();

            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(asked::join)
                    .withCauseInstanceOf(LockClosedException.class);
            untilFree("a");
            assertThat(inTheWay.isValid()).isTrue();
        }
    }

    @Test
    void aPauseThatLosesTheFirstLockEndsTheWaitForTheSecond() {
        try (LockHandle inTheWay = others.acquire("b", Duration.ZERO)) {
            CompletableFuture<List<LockHandle>> asked = waitsForTheSecond();

            locks.admin().pause();

            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> asked.orTimeout(20, TimeUnit.SECONDS).join())
                    .withCauseInstanceOf(LockLostException.class);
            assertThat(inTheWay.isValid()).isTrue();
        }
    }

    private CompletableFuture<List<LockHandle>> waitsForTheSecond() {
        CompletableFuture<List<LockHandle>> asked = locks.acquireAllAsync(List.of(kept("a"), kept("b")));
        await().until(() -> locks.admin().held().size() == 1 && locks.admin().waiting() == 1);
        return asked;
    }

    @Test
    void dataIsWrittenAndShortestHoldsCountOnceAllLocksAreHeld() {
        List<LockHandle> blocking = locks.acquireAll(List.of(kept("a"), kept("b")));
        List<LockHandle> later =
                locks.acquireAllAsync(List.of(kept("c"), kept("d"))).join();
        for (List<LockHandle> handles : List.of(blocking, later)) {
            assertThat(handles).extracting(LockHandle::data).containsExactly(DATA, DATA);
            handles.forEach(LockHandle::close);
        }

        for (String key : List.of("a", "b", "c", "d")) {
            assertThat(others.tryAcquire(key)).isEmpty();
            assertThat(others.admin().inspect(key).data()).isEqualTo(DATA);
        }
    }

    private void untilFree(String key) {
        await().ignoreException(NoSuchElementException.class).untilAsserted(() -> assertFree(key));
    }

    private void assertFree(String key) {
        try (LockHandle free = others.tryAcquire(key).orElseThrow()) {
            assertThat(free.data()).isEqualTo(LockData.EMPTY);
        }
    }
}
