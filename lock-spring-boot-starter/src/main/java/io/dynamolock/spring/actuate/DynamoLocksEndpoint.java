package io.dynamolock.spring.actuate;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;

/** The locks of this process, and the queue of any lock of its table. Thread-safe. */
@Endpoint(id = "dynamolock")
public class DynamoLocksEndpoint {

    static final String KEYS_ARE_HIDDEN =
            "Keys are not shown to you, and so no single lock is: see management.endpoint.dynamolock.show-keys.";

    static final String EVICTING_IS_OFF =
            "Nothing can be evicted here unless management.endpoint.dynamolock.evict is true.";

    private final LockRegistry locks;
    private final InstantSource clock;
    private final Evictions evictions;
    private final DynamoLocksEndpointProperties settings;

    DynamoLocksEndpoint(
            LockRegistry locks, InstantSource clock, Evictions evictions, DynamoLocksEndpointProperties settings) {
        this.locks = locks;
        this.clock = clock;
        this.evictions = evictions;
        this.settings = settings;
    }

    /**
     * What this process holds and waits for. Costs no call.
     *
     * @param limit how many rows; 100 unless given, and not more than 1,000
     */
    @ReadOperation
    public LocksOfProcess locks(@Nullable Integer limit) {
        return locks(limit, showsKeysToAll());
    }

    LocksOfProcess locks(@Nullable Integer limit, boolean showsKeys) {
        return LocksOfProcess.of(locks, limit, showsKeys, clock.instant());
    }

    /**
     * Who holds a lock and who waits for it, in all processes, by one or two reads of the table.
     *
     * @param key parts between which the key has slashes
     * @param namespace that of locks without one unless given
     * @return null if nobody holds it or waits for it
     * @throws IllegalStateException if keys are not shown: whoever guesses one would learn who uses it
     */
    @ReadOperation
    public @Nullable QueueOfLock lock(@Selector(match = Match.ALL_REMAINING) String[] key, @Nullable String namespace) {
        require(showsKeysToAll(), KEYS_ARE_HIDDEN);
        return queue(key, namespace);
    }

    /** For those who may see keys. */
    @Nullable
    QueueOfLock queue(String[] key, @Nullable String namespace) {
        QueueOfLock found = QueueOfLock.of(locks.admin().inspect(joined(key), orDefault(namespace)));
        return found.isUnused() ? null : found;
    }

    /**
     * Asks the process that has this entry in the queue to give it up, see {@link io.dynamolock.LockAdmin#evict}.
     *
     * @param key parts between which the key has slashes
     * @param id of the entry, from a read of the lock
     * @param namespace that of locks without one unless given
     * @return whether the process was told; false if the entry is not there any more
     * @throws IllegalStateException if evicting is not switched on
     */
    @DeleteOperation
    public boolean evict(@Selector(match = Match.ALL_REMAINING) String[] key, String id, @Nullable String namespace) {
        require(settings.evict(), EVICTING_IS_OFF);
        return evictions.evict(new Evictions.Attempt("", joined(key), orDefault(namespace), id, showsKeysToAll()));
    }

    /** Where nobody knows who asks, as in JMX. */
    private boolean showsKeysToAll() {
        return settings.showKeys().isShown(true);
    }

    private static void require(boolean allowed, String problem) {
        if (!allowed) {
            throw new IllegalStateException(problem);
        }
    }

    static String joined(String[] key) {
        return String.join("/", key);
    }

    static String orDefault(@Nullable String namespace) {
        return namespace == null ? LockRequest.DEFAULT_NAMESPACE : namespace;
    }
}
