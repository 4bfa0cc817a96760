package io.dynamolock.spring.unlocked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.LeaderElection;
import io.dynamolock.LockAdmin;
import io.dynamolock.LockClosedException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockLostException;
import io.dynamolock.LockMode;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AlwaysGrantingRegistryTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final LockRequest REQUEST = LockRequest.of("k");

    private final AtomicLong nanos = new AtomicLong();
    private final List<Runnable> callbacks = new ArrayList<>();
    private final LockRegistry locks =
            new AlwaysGrantingRegistry(7, Clock.fixed(NOW, ZoneOffset.UTC), nanos::get, callbacks::add);

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void locksAndHandlesAreWrittenAsThoseOfARegistryThatLocks() {
        try (LockRegistry real = RegistryBuilder.of(new InMemoryLockStore()).build();
                LockHandle handle = real.acquire(REQUEST)) {
            assertThat(locks.lock(REQUEST).toString().replace(", unlocked", ""))
                    .isEqualTo(real.lock(REQUEST).toString())
                    .isEqualTo("Lock[key=k, namespace=default]");
            assertThat(locks.acquire(REQUEST).toString()).startsWith("LockHandle[key=k, namespace=default, ");
            assertThat(handle.toString()).startsWith("LockHandle[key=k, namespace=default, ");
            assertThat(messageOfRequestingTwice(locks))
                    .startsWith("The lock \"k\" in namespace \"default\" is requested twice")
                    .isSubstringOf(messageOfRequestingTwice(real)
                            .replace(", and the second request would wait for the first", ""));
        }
    }

    private static String messageOfRequestingTwice(LockRegistry locks) {
        return catchThrowable(() -> locks.acquireAll(List.of(REQUEST, REQUEST))).getMessage();
    }

    // Grants

    @Test
    void everyWayToAcquireGrantsAtOnceWhoeverElseHoldsTheLock() {
        List<LockHandle> handles = new ArrayList<>();
        handles.add(locks.acquire(REQUEST));
        handles.add(locks.acquire("k", Duration.ZERO));
        handles.add(locks.tryAcquire(REQUEST).orElseThrow());
        handles.add(locks.acquireAsync(REQUEST).join());
        handles.addAll(locks.acquireAll(List.of(REQUEST, LockRequest.of("other"))));
        handles.addAll(locks.acquireAllAsync(List.of(REQUEST)).join());
        handles.add(locks.readWrite("k").read().tryAcquire().orElseThrow());
        handles.add(locks.readWrite("k").write().acquire(Duration.ZERO));
        handles.add(locks.permits("k", 1).acquireAsync(Duration.ZERO).join());
        handles.add(locks.acquire(REQUEST.onlyIfExists()));

        assertThat(handles).allMatch(LockHandle::isValid);
        assertThat(handles)
                .extracting(LockHandle::fencingToken)
                .containsExactly(7L, 8L, 9L, 10L, 11L, 12L, 13L, 14L, 15L, 16L, 17L);
        assertThat(handles).extracting(LockHandle::key).contains("k", "other");
        assertThat(handles).extracting(LockHandle::namespace).containsOnly(LockRequest.DEFAULT_NAMESPACE);
    }

    @Test
    void tokensRiseOnThisMachinesClockToo() {
        LockRegistry real = AlwaysGrantingRegistry.create();
        LockHandle first = real.acquire(REQUEST);
        assertThat(first.fencingToken()).isEqualTo(1);
        assertThat(real.acquire(REQUEST).fencingToken()).isEqualTo(2);
        assertThat(first.held()).isGreaterThanOrEqualTo(Duration.ZERO);
    }

    @Test
    void anActionRunsAndItsResultIsReturned() throws Exception {
        assertThat(locks.<String>withLock("k", Duration.ZERO, () -> "result")).isEqualTo("result");
        assertThat(locks.<Long, RuntimeException>withLock(REQUEST, LockHandle::fencingToken))
                .isEqualTo(8);
        assertThat(locks.admin().held()).isEmpty();
    }

    @Test
    void aRequestThatNoRegistryServesIsRefusedAndNothingIsGranted() {
        LockRequest readerWithData = REQUEST.mode(LockMode.SHARED).data(LockData.of("x"));
        assertThatIllegalArgumentException().isThrownBy(() -> locks.acquire(readerWithData));
        assertThatIllegalArgumentException().isThrownBy(() -> locks.lock(readerWithData));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locks.acquireAll(List.of(LockRequest.of("other"), readerWithData)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locks.acquireAllAsync(List.of(REQUEST, REQUEST)))
                .withMessageContaining("twice");
        assertThat(locks.admin().held()).isEmpty();
    }

    @Test
    void aLockByHandInTheNamespaceOfElectionsIsRefusedAsWithLocks() {
        LockRequest request = LockRequest.of("mails").namespace(LeaderElection.NAMESPACE);
        for (Consumer<LockRegistry> call : List.<Consumer<LockRegistry>>of(
                registry -> registry.acquire(request),
                registry -> registry.tryAcquire(request),
                registry -> registry.acquireAsync(request),
                registry -> registry.acquireAll(List.of(request)),
                registry -> registry.acquireAllAsync(List.of(request)),
                registry -> registry.lock(request))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> call.accept(locks))
                    .withMessageContainingAll("\"leader\" is that of leader elections", "mails");
        }
        assertThat(locks.admin().held()).isEmpty();
        assertThat(locks.elect("mails", leadership -> {}).name()).isEqualTo("mails");
    }

    /** Somebody may want to keep a job of ShedLock from running. */
    @Test
    void aLockByHandInTheNamespaceOfAnAdapterIsGranted() {
        assertThat(locks.acquire(LockRequest.of("job").namespace("shedlock")).isValid())
                .isTrue();
        assertThat(locks.acquire(LockRequest.of("k").namespace("integration")).isValid())
                .isTrue();
    }

    @Test
    void anInterruptedThreadGetsNothingAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> locks.acquire(REQUEST));
        assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> locks.tryAcquire(REQUEST));
        assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> locks.acquireAll(List.of(REQUEST)));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(locks.admin().held()).isEmpty();
    }

    // Handles

    @Test
    void aReleasedHandleIsNotValidAndSaysTheSameEachTime() {
        LockHandle handle = locks.acquire(REQUEST);
        handle.ensureValid();
        assertThat(handle.remainingValidity()).isPositive();
        nanos.set(5);
        assertThat(handle.release()).isTrue();
        nanos.set(9);
        assertThat(handle.release()).isTrue();
        assertThat(handle.releaseAsync()).isCompletedWithValue(true);
        handle.close();
        assertThat(handle.isValid()).isFalse();
        assertThat(handle.remainingValidity()).isZero();
        assertThat(handle.held()).isEqualTo(Duration.ofNanos(5));
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(handle::ensureValid)
                .withMessageContaining("released");
    }

    @Test
    void limitsOfAHoldAreCheckedAndNeverEndIt() {
        LockHandle handle = locks.acquire(REQUEST.maxHold(Duration.ofNanos(1)));
        nanos.set(1_000);
        assertThat(handle.isValid()).isTrue();
        handle.setMaxHold(Duration.ofSeconds(1));
        handle.setHoldAtLeast(Duration.ofSeconds(1));
        handle.extendBy(Duration.ofSeconds(1));
        assertThatIllegalArgumentException().isThrownBy(() -> handle.setMaxHold(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> handle.setHoldAtLeast(Duration.ofHours(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> handle.extendBy(Duration.ZERO));
        handle.close();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> handle.setMaxHold(Duration.ofHours(1)));
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> handle.extendBy(Duration.ofHours(1)));
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> handle.setHoldAtLeast(Duration.ofHours(1)));
    }

    @Test
    void aHandleReadsTheDataThatItHasWritten() {
        LockHandle handle = locks.acquire(REQUEST.data(LockData.of("first")));
        assertThat(handle.data().text()).isEqualTo("first");
        handle.putData(LockData.of("second"));
        assertThat(handle.data().text()).isEqualTo("second");
        assertThat(handle.putDataAsync(LockData.EMPTY)).isCompleted();
        assertThat(handle.data()).isEqualTo(LockData.EMPTY);
        assertThat(handle.release(LockData.of("left"))).isTrue();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> handle.putData(LockData.EMPTY));
        assertThat(locks.acquire(REQUEST).data()).isEqualTo(LockData.EMPTY);
    }

    @Test
    void whoeverDoesNotHoldTheLockAloneWritesNoData() {
        LockHandle reader = locks.readWrite("k").read().acquire(Duration.ZERO);
        LockHandle permit = locks.permits("k", 2).acquire(Duration.ZERO);
        for (LockHandle handle : List.of(reader, permit)) {
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> handle.putData(LockData.EMPTY));
            assertThat(handle.isValid()).isTrue();
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> handle.releaseAsync(LockData.EMPTY));
            assertThat(handle.isValid()).isFalse();
        }
    }

    @Test
    void nobodyCanCheckTheLockInATransaction() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> locks.acquire(REQUEST).fence());
    }

    @Test
    void onlyAWriterGoesOnAsAReaderAndKeepsItsToken() {
        LockHandle writer = locks.readWrite("k").write().acquire(Duration.ZERO);
        LockHandle reader = writer.downgrade();
        assertThat(reader.fencingToken()).isEqualTo(writer.fencingToken());
        assertThat(reader.isValid()).isTrue();
        assertThat(writer.isValid()).isFalse();
        assertThat(writer.release()).isTrue();
        assertThat(reader.isValid()).isTrue();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(writer::downgrade);
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(reader::downgrade);
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> locks.acquire(REQUEST).downgrade());
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> reader.putData(LockData.EMPTY));
    }

    // Losses

    @Test
    void closingTheRegistryLosesWhatIsHeldAndTellsItsHolders() {
        List<String> told = new ArrayList<>();
        LockHandle held = locks.acquire(REQUEST);
        held.onLost(() -> told.add("lost"));
        held.onExpiring(Duration.ofSeconds(1), () -> told.add("expiring"));
        LockHandle released = locks.acquire(REQUEST);
        released.onLost(() -> told.add("released"));
        released.close();
        released.onLost(() -> told.add("released before"));
        locks.close();
        locks.close();
        held.onLost(() -> told.add("lost before"));
        runCallbacks();

        assertThat(told).containsExactlyInAnyOrder("lost", "expiring", "lost before");
        assertThat(held.isValid()).isFalse();
        assertThat(held.release()).isFalse();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(held::ensureValid)
                .withMessageContaining("closed");
        assertThat(locks.admin().held()).isEmpty();
    }

    @Test
    void onExpiringTakesOnlyATimeThatIsSensible() {
        LockHandle handle = locks.acquire(REQUEST);
        assertThatIllegalArgumentException().isThrownBy(() -> handle.onExpiring(Duration.ZERO, () -> {}));
        assertThatIllegalArgumentException().isThrownBy(() -> handle.onExpiring(Duration.ofDays(1), () -> {}));
    }

    @Test
    void aCallbackThatFailsKeepsNoOtherFromBeingCalled() {
        CompletableFuture<Void> second = new CompletableFuture<>();
        LockHandle handle = locks.acquire(REQUEST);
        handle.onLost(() -> {
            throw new IllegalStateException("thrown by a test");
        });
        handle.onLost(() -> second.complete(null));
        locks.close();
        runCallbacks();
        assertThat(second).isCompleted();
    }

    @Test
    void aClosedRegistryServesNobody() {
        locks.close();
        assertThatExceptionOfType(LockClosedException.class).isThrownBy(() -> locks.acquire(REQUEST));
        assertThatExceptionOfType(LockClosedException.class).isThrownBy(() -> locks.tryAcquire(REQUEST));
        assertThatExceptionOfType(LockClosedException.class).isThrownBy(() -> locks.acquireAsync(REQUEST));
        assertThatExceptionOfType(LockClosedException.class).isThrownBy(() -> locks.acquireAll(List.of(REQUEST)));
        assertThatExceptionOfType(LockClosedException.class).isThrownBy(() -> locks.acquireAllAsync(List.of(REQUEST)));
        assertThatExceptionOfType(LockClosedException.class).isThrownBy(() -> locks.lock("k"));
        assertThatExceptionOfType(LockClosedException.class).isThrownBy(() -> locks.elect("e", leadership -> {}));
        assertThatExceptionOfType(LockClosedException.class)
                .isThrownBy(() -> locks.admin().setPermits("k", 3));
    }

    private void runCallbacks() {
        while (!callbacks.isEmpty()) {
            callbacks.remove(0).run();
        }
    }

    // Admin

    @Test
    void theAdminTellsWhatIsHeldHereLongestFirst() {
        locks.acquire(REQUEST.name("first").caller("me"));
        locks.acquire(LockRequest.of("other").namespace("ns").name("second").caller("me"));
        assertThat(locks.admin().held())
                .containsExactly(
                        new LockAdmin.Held("k", LockRequest.DEFAULT_NAMESPACE, "first", 7, NOW, "me"),
                        new LockAdmin.Held("other", "ns", "second", 8, NOW, "me"));
    }

    @Test
    void theAdminRefusesWhatOnlyATableCanTell() {
        LockAdmin admin = locks.admin();
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> admin.inspect("k"));
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> admin.list("k"));
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(admin::listAll);
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> admin.evict("k", "ns", "id"));
    }

    @Test
    void theAdminHasNoTableNoSessionNoWaitersAndNothingToPause() {
        LockAdmin admin = locks.admin();
        assertThat(admin.table()).isEmpty();
        assertThat(admin.session()).isEmpty();
        assertThat(admin.clockProblem()).isEmpty();
        assertThat(admin.waiting()).isZero();
        assertThat(admin.waiters()).isEmpty();
        LockHandle handle = locks.acquire(REQUEST);
        admin.pause();
        assertThat(handle.isValid()).isTrue();
        assertThat(locks.tryAcquire("other")).isPresent();
        admin.resume();
        admin.setPermits("k", 3);
        assertThatIllegalArgumentException().isThrownBy(() -> admin.setPermits("k", 0));
    }
}
