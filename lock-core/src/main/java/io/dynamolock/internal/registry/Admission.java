package io.dynamolock.internal.registry;

import io.dynamolock.LeaderElection;
import io.dynamolock.LockClosedException;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.handles.RequestDefaults;
import io.dynamolock.internal.handles.Requests;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.text.LockNames;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which requests one registry takes: those within its limits, and none once it is closed. Thread-safe. */
public final class Admission {

    private final RequestDefaults defaults;
    private final int keyPrefixBytes;
    private final int maxQueue;

    /** Becomes {@code true} once, when the registry begins to close. */
    private volatile boolean closed;

    /**
     * @param defaults what counts for a request that does not say it
     * @param keyPrefixBytes how many of the bytes that DynamoDB allows for a key belong to the table's key prefix
     * @param maxQueue the maximum number of permits, because each permit takes one entry of the queue
     */
    public Admission(RequestDefaults defaults, int keyPrefixBytes, int maxQueue) {
        this.defaults = defaults;
        this.keyPrefixBytes = keyPrefixBytes;
        this.maxQueue = maxQueue;
    }

    Duration defaultWait() {
        return defaults.waitTime();
    }

    /**
     * @throws IllegalArgumentException if the registry cannot serve this key
     * @throws LockClosedException if the registry is closed
     */
    public LockKey key(String key, String namespace) {
        return checked(LockRequest.of(key).namespace(namespace)).key();
    }

    /**
     * The request in the words of the engine.
     *
     * @throws IllegalArgumentException if the registry cannot serve the request
     * @throws LockClosedException if the registry is closed
     */
    public AcquireSpec checked(LockRequest request) {
        return checked(request, defaults.waitTime());
    }

    /**
     * As {@link #checked(LockRequest)}, for requests that users make by hand.
     *
     * @throws IllegalArgumentException also if the lock could be that of an election
     */
    AcquireSpec ofUser(LockRequest request) {
        return ofUser(request, defaults.waitTime());
    }

    AcquireSpec ofUser(LockRequest request, Duration waitIfUnset) {
        AcquireSpec spec = checked(request, waitIfUnset);
        if (spec.key().isOfElection()) {
            throw new IllegalArgumentException(
                    "The namespace \"" + LeaderElection.NAMESPACE + "\" is that of leader elections, so the "
                            + LockNames.describe(spec.key(), spec.name())
                            + " would keep a leader out. Take another namespace, or stand for election by elect.");
        }
        return spec;
    }

    private AcquireSpec checked(LockRequest request, Duration waitIfUnset) {
        Objects.requireNonNull(request, "request");
        LockNames.requireKey(request.key(), keyPrefixBytes);
        AcquireSpec spec = Requests.spec(request, defaults.withWait(waitIfUnset));
        if (spec.permits() > maxQueue) {
            throw new IllegalArgumentException(
                    "permits must not be more than the entries of a queue, because each permit takes"
                            + " one, but were " + spec.permits() + " with maxQueue " + maxQueue + " for "
                            + LockNames.describe(spec.key(), spec.name())
                            + ". Say fewer, or raise the registry's maxQueue.");
        }
        ensureOpen(spec);
        return spec;
    }

    /** @throws LockClosedException if the registry is closed */
    public void ensureOpen(LockKey key) {
        ensureOpen(key, null);
    }

    /** @throws LockClosedException if the registry is closed */
    void ensureOpen(AcquireSpec spec) {
        ensureOpen(spec.key(), spec.name());
    }

    private void ensureOpen(LockKey key, @Nullable String name) {
        if (closed) {
            throw new LockClosedException(key.key(), key.namespace(), name);
        }
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
    }
}
