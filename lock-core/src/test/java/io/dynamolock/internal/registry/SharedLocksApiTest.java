package io.dynamolock.internal.registry;

import static io.dynamolock.internal.testing.Thrown.refused;
import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockMode;
import io.dynamolock.LockPermitsException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockSnapshot;
import io.dynamolock.ReadWriteLocks;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.testing.ManualTime;
import io.dynamolock.internal.threads.Futures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What users are promised of readers, writers and permits: two processes on one table in memory, and a clock to move.
 */
class SharedLocksApiTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final InMemoryLockStore table = new InMemoryLockStore();
    private final ManualTime time = new ManualTime();
    private final LockRegistry locks = registry("here");
    private final LockRegistry others = registry("there");

    private LockRegistry registry(String owner) {
        return RegistryBuilder.of(table).owner(owner).on(time).build();
    }

    @AfterEach
    void close() {
        time.close(locks, others);
    }

    @Test
    void readersShareALockAndAWriterHasItAlone() {
        LockHandle here = locks.readWrite("k").read().acquire(MINUTE);
        LockHandle there = others.readWrite("k").read().acquire(MINUTE);

        assertThat(others.readWrite("k").write().tryAcquire()).isEmpty();
        assertThat(others.tryAcquire("k")).as("an exclusive caller is a writer").isEmpty();
        assertThat(locks.admin().inspect("k").holder())
                .map(LockSnapshot.Holder::owner)
                .contains("here");
        assertThat(locks.admin().inspect("k").beside())
                .extracting(LockSnapshot.Holder::owner)
                .containsExactly("there");
        await().until(() -> locks.admin().inspect("k").queue().isEmpty());
        here.close();
        there.close();
        isLeft();
        try (LockHandle writer = others.readWrite("k").write().tryAcquire().orElseThrow()) {
            assertThat(writer.fencingToken()).isGreaterThan(there.fencingToken());
            assertThat(locks.readWrite("k").read().tryAcquire()).isEmpty();
        }
    }

    /** Who does not wait leaves the queue again in the background; nobody would look while the clock stands still. */
    private void isLeft() {
        await().until(() -> table.lock(new LockKey("k", "default")).queue().isEmpty());
    }

    @Test
    void aRequestMayAskToShareTheLock() {
        LockRequest shared = LockRequest.of("k").mode(LockMode.SHARED);

        assertThat(shared.mode()).isEqualTo(LockMode.SHARED);
        assertThat(LockRequest.of("k").mode()).isEqualTo(LockMode.EXCLUSIVE);
        assertThat(shared).isNotEqualTo(LockRequest.of("k"));
        assertThat(shared.mode(LockMode.EXCLUSIVE)).isEqualTo(LockRequest.of("k"));
        try (LockHandle one = locks.acquire(shared);
                LockHandle other = others.acquire(shared)) {
            assertThat(one.isValid() && other.isValid()).isTrue();
        }
    }

    @Test
    void actionsRunUnderEitherSide() throws Exception {
        ReadWriteLocks sides = locks.readWrite("k");

        String read = sides.read()
                .withLock(
                        MINUTE, () -> others.readWrite("k").write().tryAcquire().isPresent() + "");
        isLeft();
        sides.write()
                .withLock(
                        MINUTE,
                        () -> assertThat(others.readWrite("k").read().tryAcquire())
                                .isEmpty());

        isLeft();
        assertThat(read).isEqualTo("false");
        assertThat(others.tryAcquire("k")).map(LockHandle::release).contains(true);
    }

    @Test
    void aWriterGoesOnAsAReader() {
        LockHandle writer = locks.readWrite("k").write().acquire(MINUTE);

        LockHandle reader = writer.downgrade();

        assertThat(writer.isValid()).isFalse();
        assertThat(writer.release()).as("closing it again does no harm").isTrue();
        assertThat(reader.isValid()).isTrue();
        assertThat(reader.fencingToken()).isEqualTo(writer.fencingToken());
        Optional<LockHandle> other = others.readWrite("k").read().tryAcquire();
        assertThat(other).isPresent();
        assertThat(reader.release()).isTrue();
        assertThat(other.get().release()).isTrue();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(writer::downgrade);
    }

    @Test
    void aSecondDowngradeOfOneHandleIsRefused() throws Exception {
        LockHandle writer = locks.readWrite("k").write().acquire(MINUTE);

        List<CompletableFuture<LockHandle>> both = List.of(
                CompletableFuture.supplyAsync(writer::downgrade), CompletableFuture.supplyAsync(writer::downgrade));
        await().until(() -> both.stream().allMatch(CompletableFuture::isDone));

        assertThat(both.stream().filter(CompletableFuture::isCompletedExceptionally))
                .singleElement()
                .satisfies(second -> assertThat(second)
                        .failsWithin(Duration.ZERO)
                        .withThrowableOfType(ExecutionException.class)
                        .withCauseInstanceOf(LockLostException.class)
                        .withMessageContaining("goes on as a reader"));
        both.stream()
                .filter(first -> !first.isCompletedExceptionally())
                .forEach(first -> first.join().close());
    }

    @Test
    void onlyAWriterCanGoOnAsAReaderAndTheOthersAreToldWhy() {
        try (LockHandle exclusive = locks.acquire("a", MINUTE);
                LockHandle reader = locks.readWrite("b").read().acquire(MINUTE)) {
            thrown(UnsupportedOperationException.class, exclusive::downgrade, "\"a\"", "readWrite(key).write()");
            assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(reader::downgrade);
            assertThat(exclusive.isValid() && reader.isValid()).isTrue();
        }
    }

    @Test
    void sharedLocksAndPermitsHaveNoFenceAndSaySo() {
        try (LockHandle reader = locks.readWrite("k").read().acquire(MINUTE);
                LockHandle permit = locks.permits("p", 2).acquire(MINUTE)) {
            for (LockHandle handle : new LockHandle[] {reader, permit}) {
                thrown(UnsupportedOperationException.class, handle::fence, handle.key(), "held together with others");
            }
        }
    }

    @Test
    void anotherNumberOfPermitsIsRefusedUntilItIsChangedForAll() {
        locks.permits("k", 2).acquire(MINUTE).close();

        assertThatExceptionOfType(LockPermitsException.class)
                .isThrownBy(() -> others.permits("k", 3).acquire(MINUTE))
                .satisfies(e -> assertThat(e.requested()).isEqualTo(3))
                .satisfies(e -> assertThat(e.stored()).isEqualTo(2))
                .withMessageContainingAll("of 3", "has 2", "setPermits");
        others.admin().setPermits("k", 3);
        try (LockHandle handle = others.permits("k", 3).acquire(MINUTE)) {
            assertThat(handle.isValid()).isTrue();
        }
        thrown(LockPermitsException.class, () -> locks.permits("k", 2).tryAcquire());
    }

    @Test
    void aWaitingCallerThatIsToldOfAnotherNumberGetsAPermitWithIt() {
        LockHandle held = locks.permits("k", 1).acquire(MINUTE);
        CompletableFuture<LockHandle> waits =
                locks.acquireAsync(LockRequest.of("k").permits(1).waitTime(MINUTE));
        await().until(() -> locks.admin().waiting() == 1);

        others.admin().setPermits("k", 2);

        CompletableFuture<LockHandle> again = waits.exceptionallyCompose(failure -> {
            LockPermitsException changed = (LockPermitsException) Futures.unwrap(failure);
            return locks.acquireAsync(LockRequest.of("k").permits(changed.stored()));
        });
        time.advanceUntil(Duration.ofSeconds(1), again::isDone);
        assertThat(again.join().isValid()).isTrue();
        assertThat(held.isValid()).as("nobody loses a permit").isTrue();
    }

    @Test
    void aNumberOfPermitsBelowOneIsRefused() {
        refused(() -> locks.permits("k", 0), "0", "\"k\"");
        assertThatIllegalArgumentException().isThrownBy(() -> locks.admin().setPermits("k", -1));
    }

    @Test
    void morePermitsThanEntriesOfAQueueAreRefusedBeforeAnyCall() {
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> locks.permits("k", 201).acquire(MINUTE),
                () -> locks.permits("k", 201).tryAcquire(),
                () -> locks.admin().setPermits("k", 201))) {
            refused(call, "201", "maxQueue 200", "\"k\"");
        }
        locks.admin().setPermits("k", 200);
        locks.permits("k", 200).acquire(MINUTE).close();
    }

    @Test
    void theNumberOfPermitsCanBeChangedInANamespace() {
        LockRequest request = locks.permits("k", 2).request().namespace("reports");
        locks.acquire(request).close();

        others.admin().setPermits("k", "reports", 3);

        assertThatExceptionOfType(LockPermitsException.class)
                .isThrownBy(() -> locks.acquire(request))
                .satisfies(e -> assertThat(e.stored()).isEqualTo(3));
        locks.permits("k", 2).acquire(MINUTE).close();
    }
}
