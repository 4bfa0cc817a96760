package io.dynamolock.internal.store.memory;

import static io.dynamolock.internal.protocol.Edits.append;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.LockStoreContract;
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
    void aReaderNeverGetsTheObjectThatWasWritten() {
        edit(append(FULL, alice));

        assertThat(read().first()).isEqualTo(alice).isNotSameAs(alice);
    }

    @Test
    void tellsTheTimeOfItsOwnClockIfItHasOne() {
        InstantSource clock = InstantSource.fixed(Instant.EPOCH);

        assertThat(await(store.read(key, true)).storeTime()).isNull();
        assertThat(await(new InMemoryLockStore(clock).read(key, true)).storeTime())
                .isEqualTo(Instant.EPOCH);
    }
}
