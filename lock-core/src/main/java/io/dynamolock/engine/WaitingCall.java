package io.dynamolock.engine;

import io.dynamolock.internal.protocol.LockKey;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * A caller of this process that waits.
 *
 * @param name for metrics
 * @param caller who asks, for people
 * @param since when it has asked, by the wall clock
 */
public record WaitingCall(LockKey key, String name, String caller, Instant since) {

    /** @param origin a moment before all of them, by the monotonic clock */
    static List<WaitingCall> of(Collection<Caller> waiting, long origin) {
        return waiting.stream()
                .sorted(Comparator.comparingLong(caller -> caller.startedNanos() - origin))
                .map(caller -> new WaitingCall(
                        caller.spec().key(), caller.spec().name(), caller.spec().caller(), caller.since()))
                .toList();
    }
}
