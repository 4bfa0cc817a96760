package io.dynamolock.internal;

import io.dynamolock.LockRequest;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.Objects;

/**
 * Which requests a registry takes.
 *
 * @param defaultWait how long a request waits that says nothing of it
 * @param keyPrefixBytes how many bytes of each key are the table's
 * @param maxQueue how many permits there may be
 */
record RequestRules(RegistryLife life, Duration defaultWait, int keyPrefixBytes, int maxQueue) {

    /** @throws io.dynamolock.LockClosedException if the registry is closed */
    LockKey lock(String key, String namespace) {
        return checked(LockRequest.of(key).namespace(namespace), Duration.ZERO).key();
    }

    /** As {@link #checked(LockRequest, Duration)}, of a request that waits as all requests of the registry do. */
    AcquireSpec checked(LockRequest request) {
        return checked(request, defaultWait);
    }

    /**
     * @throws IllegalArgumentException if the request cannot be served
     * @throws io.dynamolock.LockClosedException if the registry is closed
     */
    AcquireSpec checked(LockRequest request, Duration waitIfUnset) {
        Objects.requireNonNull(request, "request");
        LockNames.requireKey(request.key(), keyPrefixBytes);
        AcquireSpec spec = Requests.spec(request, waitIfUnset);
        if (spec.permits() > maxQueue) {
            throw new IllegalArgumentException(
                    "permits must not be more than the entries of a queue, because each permit takes"
                            + " one, but were " + spec.permits() + " with maxQueue " + maxQueue + " for "
                            + LockNames.describe(spec.key())
                            + ". Say fewer, or raise the registry's maxQueue.");
        }
        life.ensureOpen(spec.key());
        return spec;
    }
}
