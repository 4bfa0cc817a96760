package io.dynamolock.internal;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.protocol.LockKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The requests of one call for several locks, in the order in which they are asked for: that of the bytes, so that a process
 * in another language has the same. Counts all waits from its making. Immutable.
 */
public final class SeveralRequests {

    private static final Comparator<LockRequest> ORDER = Comparator.comparing(
                    (LockRequest request) -> request.namespace().getBytes(StandardCharsets.UTF_8),
                    Arrays::compareUnsigned)
            .thenComparing(request -> request.key().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private final List<LockRequest> requests;
    private final List<LockRequest> inOrder;
    private final Duration wait;
    private final TimeSource time;
    private final long began;

    /**
     * @param wait how long a request waits that says nothing of it
     * @throws IllegalArgumentException if two of them are for the same lock
     */
    public SeveralRequests(List<LockRequest> requests, Duration wait, TimeSource time) {
        this.requests = List.copyOf(requests);
        this.inOrder = this.requests.stream().sorted(ORDER).toList();
        this.wait = wait;
        this.time = time;
        this.began = time.nanos();
        Set<LockKey> locks = new HashSet<>();
        for (LockRequest request : requests) {
            if (!locks.add(Requests.key(request))) {
                throw new IllegalArgumentException("The " + LockNames.describe(Requests.key(request))
                        + " is requested twice, and the second request would wait for the first. Request it once.");
            }
        }
    }

    int size() {
        return inOrder.size();
    }

    /** The one that is asked for after so many others. */
    LockRequest get(int index) {
        return inOrder.get(index);
    }

    /**
     * The same as it is asked for now: with what is left of its wait. Its data is written, and it is held for its shortest time,
     * once all locks are held.
     */
    LockRequest toAsk(int index) {
        LockRequest request = get(index);
        Duration rest = request.waitTime().orElse(wait).minus(waited());
        return request.holdAtLeast(Duration.ZERO).wait(rest.isNegative() ? Duration.ZERO : rest);
    }

    /** How long the call lasts already. */
    Duration waited() {
        return Duration.ofNanos(time.nanos() - began);
    }

    /**
     * All locks are held: their caller goes on.
     *
     * @throws LockLostException if one of them is lost
     */
    void begin(List<LockHandle> held) {
        held.forEach(LockHandle::ensureValid);
        for (int i = 0; i < held.size(); i++) {
            get(i).holdAtLeast().ifPresent(held.get(i)::setHoldAtLeast);
        }
    }

    /** The handles as the caller has asked for them. */
    List<LockHandle> asRequested(List<LockHandle> held) {
        return requests.stream()
                .map(request -> held.get(inOrder.indexOf(request)))
                .toList();
    }
}
