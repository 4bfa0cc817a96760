package io.dynamolock.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.LockStoreContract;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class InMemoryLockStoreTest extends LockStoreContract {

    private final InMemoryLockStore store = new InMemoryLockStore();

    @Override
    protected LockStore store() {
        return store;
    }

    @Test
    void answersOnTheCallingThread() {
        assertThat(store.take(key, ask(alice), NOW).toCompletableFuture()).isCompleted();
    }

    @Test
    void showsWhatIsLeftInIt() {
        take(ask(alice));
        take(begin());

        assertThat(store.lockKeys()).containsExactly(key);
        assertThat(store.lock(key).first()).isEqualTo(alice);
        assertThat(store.lock(new LockKey("another", "default"))).isEqualTo(LockItem.ABSENT);
        assertThat(store.sessionIds()).containsExactly(session);
        assertThat(store.session(session)).isPresent();

        take(new SessionStep.End());

        assertThat(store.sessionIds()).isEmpty();
        assertThat(store.session(session)).isEmpty();
    }

    @Test
    void anEvictedLockIsAbsent() {
        take(ask(alice));

        store.evictLock(key);

        assertThat(look()).isEqualTo(LockItem.ABSENT);
        assertThat(store.lockKeys()).isEmpty();
    }

    @Test
    void tellsTheTimeOfItsOwnClockIfItHasOne() {
        InstantSource clock = InstantSource.fixed(Instant.EPOCH);

        assertThat(store.lastAnsweredAt()).isEmpty();
        assertThat(new InMemoryLockStore(clock).lastAnsweredAt()).hasValue(Instant.EPOCH);
    }
}
