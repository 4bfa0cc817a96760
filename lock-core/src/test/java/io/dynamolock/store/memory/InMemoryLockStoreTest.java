package io.dynamolock.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.store.Dispute;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockState;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.LockStoreContract;
import io.dynamolock.store.WriteResult;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class InMemoryLockStoreTest extends LockStoreContract {

    private final InMemoryLockStore store = new InMemoryLockStore();

    @Override
    protected LockStore store() {
        return store;
    }

    @Test
    void answersOnTheCallingThread() {
        CompletionStage<WriteResult> answer = store.tryAcquire(key, alice, 1, NOW);

        assertThat(answer.toCompletableFuture()).isCompleted();
    }

    @Test
    void showsWhatIsLeftInIt() {
        store.tryAcquire(key, alice, 1, NOW);
        store.enter(key, row(5, 6, bob));
        store.createSession(alice.session(), LEASE, "alice", NOW);
        store.dispute(alice.session(), new Dispute(key, alice.block()));

        assertThat(store.lockKeys()).containsExactly(key);
        assertThat(store.lockState(key).isHeldBy(alice.block())).isTrue();
        assertThat(store.rows(key)).containsExactly(row(5, 6, bob));
        assertThat(store.rowCount()).isEqualTo(1);
        assertThat(store.sessions()).containsExactly(alice.session());
        assertThat(store.session(alice.session())).isPresent();
        assertThat(store.disputes(alice.session())).containsExactly(new Dispute(key, alice.block()));

        store.deleteRow(key, 5, bob.block());
        store.endSession(alice.session());

        assertThat(store.rows(key)).isEmpty();
        assertThat(store.rowCount()).isZero();
        assertThat(store.sessions()).isEmpty();
        assertThat(store.session(alice.session())).isEmpty();
        assertThat(store.disputes(alice.session())).isEmpty();
        assertThat(store.lockState(new LockKey("another", "default"))).isEqualTo(LockState.ABSENT);
    }

    @Test
    void anEvictedLockStartsAnewWithHigherNumbersAndKeepsItsRows() {
        long before = await(store.takeNumbers(key, 1, NOW)).tail();
        store.enter(key, row(before, before, bob));

        store.evictLock(key);

        assertThat(store.lockState(key)).isEqualTo(LockState.ABSENT);
        assertThat(store.rows(key)).hasSize(1);
        assertThat(await(store.takeNumbers(key, 1, LATER)).tail()).isGreaterThan(before);
    }
}
