package io.dynamolock.integration;

import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockNotFoundException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockSnapshot;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.testing.FaultyLockStore;
import io.dynamolock.internal.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Data with locks, lists of locks and locks that must exist, by two registries on a table of DynamoDB Local. */
class LockDataOnDynamoDbTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final LockTableFixture table = new LockTableFixture();

    @Test
    void dataIsReadByTheNextHolderAndByInspectUntilItIsRemoved() {
        try (LockRegistry one = table.registry().build();
                LockRegistry two = table.registry().build()) {
            try (LockHandle handle = one.acquire("k", MINUTE)) {
                assertThat(handle.data().isEmpty()).isTrue();
                handle.putData(LockData.of("page 7"));
                assertThat(two.admin().inspect("k").data().text()).isEqualTo("page 7");
            }
            LockHandle next = two.acquire("k", MINUTE);
            assertThat(next.data().text()).isEqualTo("page 7");
            next.putDataAsync(LockData.of("page 8"))
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
            assertThat(next.release(LockData.of("page 9"))).isTrue();

            assertThat(one.admin().inspect("k").data().text()).isEqualTo("page 9");
            one.acquire("k", MINUTE).release(LockData.EMPTY);
            assertThat(two.admin().inspect("k").data().isEmpty()).isTrue();
        }
    }

    @Test
    void aRequestReplacesTheDataBeforeItsCallerHasTheHandle() {
        try (LockRegistry locks = table.registry().build()) {
            LockRequest request = LockRequest.of("k").waitTime(MINUTE);
            try (LockHandle handle = locks.acquire(request.data(LockData.of("one")))) {
                assertThat(handle.data().text()).isEqualTo("one");
            }
            try (LockHandle handle = locks.tryAcquire(request).orElseThrow()) {
                assertThat(handle.data().text()).as("kept").isEqualTo("one");
            }
            try (LockHandle handle = locks.acquireAsync(request.data(LockData.of("two")))
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join()) {
                assertThat(handle.data().text()).isEqualTo("two");
                assertThat(locks.admin().inspect("k").data().text()).isEqualTo("two");
            }
            try (LockHandle handle =
                    locks.tryAcquire(request.data(LockData.EMPTY)).orElseThrow()) {
                assertThat(handle.data().isEmpty()).isTrue();
            }
            assertThat(locks.admin().inspect("k").data().isEmpty()).isTrue();
        }
    }

    @Test
    void listsShowLocksAsInspectDoes() {
        try (LockRegistry one = table.registry().owner("one").build();
                LockRegistry two = table.registry().owner("two").build()) {
            LockHandle billing = one.acquire(LockRequest.of("k").namespace("billing"));
            one.acquire(LockRequest.of("k").namespace("stock").data(LockData.of("note")))
                    .close();
            two.acquire("another", MINUTE);
            CompletableFuture<LockHandle> waiting =
                    two.acquireAsync(LockRequest.of("k").namespace("billing"));
            org.awaitility.Awaitility.await()
                    .until(() -> one.admin().inspect("k", "billing").queue().size() == 1);

            Map<String, LockSnapshot> ofKey = new HashMap<>();
            one.admin().list("k").forEach(lock -> ofKey.put(lock.namespace(), lock));
            assertThat(ofKey).containsOnlyKeys("billing", "stock");
            LockSnapshot busy = Objects.requireNonNull(ofKey.get("billing"));
            assertThat(busy.holder().orElseThrow().owner()).isEqualTo("one");
            assertThat(busy.queue()).extracting(LockSnapshot.Waiter::owner).containsExactly("two");
            LockSnapshot free = Objects.requireNonNull(ofKey.get("stock"));
            assertThat(free.holder()).isEmpty();
            assertThat(free.data().text()).isEqualTo("note");
            assertThat(two.admin().listAll())
                    .extracting(lock -> lock.key() + "/" + lock.namespace())
                    .containsExactlyInAnyOrder("k/billing", "k/stock", "another/default");
            assertThat(one.admin().list("unknown")).isEmpty();
            billing.close();
            waiting.orTimeout(30, TimeUnit.SECONDS).join().close();
        }
    }

    @Test
    void aListReadsPagesOnlyWhileItIsConsumed() {
        FaultyLockStore calls = new FaultyLockStore(table.store());
        LockRegistry locks = RegistryBuilder.of(calls).build();
        LockData large = LockData.of(new byte[LockData.MOST_BYTES]);
        for (int i = 0; i < 20; i++) {
            locks.acquire(LockRequest.of("k").namespace("n" + i)).release(large);
        }
        calls.reset();

        Iterator<LockSnapshot> listed = locks.admin().list("k").iterator();
        assertThat(calls.count(StoreOperation.values())).isZero();
        listed.next();
        assertThat(calls.count(StoreOperation.LIST_LOCKS)).isOne();
        List<LockSnapshot> rest = new ArrayList<>();
        listed.forEachRemaining(rest::add);

        assertThat(rest).hasSize(19);
        assertThat(calls.count(StoreOperation.LIST_LOCKS)).isEqualTo(2);
        assertThat(calls.count(StoreOperation.EDIT)).isZero();
        assertThat(calls.count(StoreOperation.READ_SESSIONS))
                .as("nobody holds any")
                .isZero();
        Iterator<LockSnapshot> cut = locks.admin().listAll().iterator();
        locks.close();
        assertThatExceptionOfType(LockClosedException.class).isThrownBy(cut::next);
        thrown(LockClosedException.class, () -> locks.admin().list("k"), "\"k\"");
    }

    @Test
    void aMissingLockIsToldApartFromABusyLock() {
        try (LockRegistry one = table.registry().build();
                LockRegistry two = table.registry().build()) {
            LockRequest request = LockRequest.of("k").onlyIfExists();
            thrown(LockNotFoundException.class, () -> one.acquire(request), "\"k\"", "only if it exists", "not held");
            assertThatExceptionOfType(LockNotFoundException.class).isThrownBy(() -> one.tryAcquire(request));
            assertThat(one.acquireAsync(request))
                    .failsWithin(30, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(LockNotFoundException.class);
            assertThat(one.admin().list("k")).isEmpty();

            try (LockHandle handle = one.acquire("k", MINUTE)) {
                assertThat(two.tryAcquire(request)).isEmpty();
                assertThat(handle.isValid()).isTrue();
            }
            two.acquire(request).close();
        }
    }
}
