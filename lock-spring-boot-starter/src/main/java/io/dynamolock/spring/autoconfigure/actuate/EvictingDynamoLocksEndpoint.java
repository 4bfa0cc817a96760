package io.dynamolock.spring.autoconfigure.actuate;

import io.dynamolock.LockRegistry;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;

/** As its parent, and takes holders and waiters out of queues. Thread-safe. */
@Endpoint(id = "dynamolocks")
public class EvictingDynamoLocksEndpoint extends DynamoLocksEndpoint {

    private final Evictions evictions;

    EvictingDynamoLocksEndpoint(LockRegistry locks, InstantSource clock, Show showKeys, Evictions evictions) {
        super(locks, clock, showKeys);
        this.evictions = evictions;
    }

    /**
     * Asks the process that has this entry in the queue to give it up, see {@link io.dynamolock.LockAdmin#evict}.
     *
     * @param key parts between which the key has slashes
     * @param id of the entry, from a read of the lock
     * @param namespace that of locks without one unless given
     * @return whether the process was told; false if the entry is not there any more
     */
    @DeleteOperation
    public boolean evict(@Selector(match = Match.ALL_REMAINING) String[] key, String id, @Nullable String namespace) {
        return evictions.evict(new Evictions.Attempt("", joined(key), orDefault(namespace), id, showsKeysToAll()));
    }
}
