package io.dynamolock;

import io.dynamolock.internal.engine.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Takes several locks, all or none. Each is waited for by callers that hold only locks before it in one order, so the caller
 * that holds the last lock of them all waits for nobody, and in its turn every caller goes on.
 */
final class SeveralLocks {

    private final LockRegistry registry;
    private final TimeSource time;

    SeveralLocks(LockRegistry registry, TimeSource time) {
        this.registry = registry;
        this.time = time;
    }

    List<LockHandle> acquire(Collection<LockRequest> requests) {
        SeveralRequests wanted = new SeveralRequests(requests, time);
        List<LockHandle> held = new ArrayList<>();
        try {
            while (held.size() < wanted.size()) {
                held.add(registry.acquire(wanted.toAsk(held.size())));
            }
            for (int i = 0; i < wanted.size(); i++) {
                DataAtGrant.write(wanted.get(i), (GrantHandle) held.get(i));
            }
            wanted.begin(held);
            return wanted.asRequested(held);
        } catch (LockTimeoutException last) {
            LockTimeoutException inAll = last.after(wanted.waited());
            giveBack(held);
            throw inAll;
        } catch (Throwable failure) {
            giveBack(held);
            throw failure;
        }
    }

    /** However many there are, this waits for about one answer of the store. */
    private static void giveBack(List<LockHandle> held) {
        for (int i = held.size() - 1; i >= 0; i--) {
            SeveralRequests.giveBack(held.get(i));
        }
        held.forEach(LockHandle::close);
    }

    CompletableFuture<List<LockHandle>> acquireAsync(Collection<LockRequest> requests) {
        return SeveralAsync.begin(registry, new SeveralRequests(requests, time));
    }
}
