package io.dynamolock;

import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.protocol.LockKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The requests of one call for several locks, in the order in which they are asked for: that of the bytes, so that a process
 * in another language has the same. Counts all waits from its making. Immutable.
 */
final class SeveralRequests {

    private static final Comparator<LockRequest> ORDER = Comparator.comparing(
                    (LockRequest request) -> request.namespace().getBytes(StandardCharsets.UTF_8),
                    Arrays::compareUnsigned)
            .thenComparing(request -> request.key().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private final List<LockRequest> requests;
    private final List<LockRequest> inOrder;
    private final TimeSource time;
    private final long began;

    /** @throws IllegalArgumentException if two of them are for the same lock */
    SeveralRequests(Collection<LockRequest> requests, TimeSource time) {
        this.requests = List.copyOf(requests);
        this.inOrder = this.requests.stream().sorted(ORDER).toList();
        this.time = time;
        this.began = time.nanos();
        refuseTheSameLockTwice();
    }

    private void refuseTheSameLockTwice() {
        Set<LockKey> locks = new HashSet<>();
        for (LockRequest request : requests) {
            if (!locks.add(request.lock())) {
                throw new IllegalArgumentException("The " + LockNames.describe(request.lock())
                        + " is asked for twice, and the second would wait for the first. Ask for it once.");
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
        Duration rest = request.waitTime().orElse(LockRequest.FOREVER).minus(waited());
        return request.withoutData().holdAtLeast(Duration.ZERO).wait(rest.isNegative() ? Duration.ZERO : rest);
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
        Map<LockRequest, LockHandle> handles = new HashMap<>();
        for (int i = 0; i < held.size(); i++) {
            handles.put(get(i), held.get(i));
        }
        return requests.stream()
                .map(request -> Objects.requireNonNull(handles.get(request)))
                .toList();
    }
}
