package io.dynamolock;

import io.dynamolock.engine.TimeSource;
import io.dynamolock.protocol.LockKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * Takes several locks, all or none. Each is waited for by callers that hold only locks before it in one order, so the caller
 * that holds the last lock of them all waits for nobody, and in its turn every caller goes on. The order is that of the bytes:
 * a process in another language has the same.
 */
final class SeveralLocks {

    static final Comparator<LockRequest> ORDER = Comparator.comparing(
                    (LockRequest request) -> bytes(request.namespace()), SeveralLocks::compare)
            .thenComparing(request -> bytes(request.key()), SeveralLocks::compare);

    private final LockRegistry registry;
    private final TimeSource time;

    SeveralLocks(LockRegistry registry, TimeSource time) {
        this.registry = registry;
        this.time = time;
    }

    List<LockHandle> acquire(Collection<LockRequest> requests) {
        refuseTheSameLockTwice(requests);
        UnaryOperator<LockRequest> withTheRestOfItsWait = waitsFromNow();
        Map<LockRequest, LockHandle> handles = new HashMap<>();
        List<LockHandle> held = new ArrayList<>();
        try {
            for (LockRequest next : requests.stream().sorted(ORDER).toList()) {
                LockHandle handle = registry.acquire(withTheRestOfItsWait.apply(next));
                held.add(handle);
                handles.put(next, handle);
            }
            held.forEach(LockHandle::ensureValid);
        } catch (Throwable failure) {
            Collections.reverse(held);
            held.forEach(LockHandle::close);
            throw failure;
        }
        return requests.stream()
                .map(request -> Objects.requireNonNull(handles.get(request)))
                .toList();
    }

    /** @throws LockClosedException if the registry is closed already */
    CompletableFuture<List<LockHandle>> acquireAsync(Collection<LockRequest> requests) {
        refuseTheSameLockTwice(requests);
        return SeveralAsync.begin(registry, List.copyOf(requests), waitsFromNow());
    }

    /** Makes the wait of a request what is left of it at that time. */
    private UnaryOperator<LockRequest> waitsFromNow() {
        long began = time.nanos();
        return request -> {
            Duration wait = request.waitTime().orElse(LockRequest.FOREVER);
            Duration rest = wait.minusNanos(time.nanos() - began);
            return request.wait(rest.isNegative() ? Duration.ZERO : rest);
        };
    }

    private static void refuseTheSameLockTwice(Collection<LockRequest> requests) {
        Set<LockKey> locks = new HashSet<>();
        for (LockRequest request : requests) {
            if (!locks.add(new LockKey(request.key(), request.namespace()))) {
                throw new IllegalArgumentException("The " + LockNames.describe(request.key(), request.namespace())
                        + " is asked for twice, and the second would wait for the first. Ask for it once.");
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static int compare(byte[] one, byte[] other) {
        return Arrays.compareUnsigned(one, other);
    }
}
