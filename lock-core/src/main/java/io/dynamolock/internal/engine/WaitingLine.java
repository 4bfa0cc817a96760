package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The callers of this process that wait for one lock, in the order in which they came. A caller is in the line from its
 * arrival until it is granted the lock or its wait ends in another way ({@link EndOfWaits}). Lives on the event loop.
 */
final class WaitingLine {

    /** In the order of arrival. */
    private final Set<WaitingCaller> waiters = new LinkedHashSet<>();

    /** The waiters that are refusable, a part of {@link #waiters} in the same order. */
    private final Set<WaitingCaller> refusable = new LinkedHashSet<>();

    /**
     * Always the callers among {@link #waiters} that do wait, in the same order. A crowd of callers that do not wait
     * costs each of them nothing.
     */
    private final Set<WaitingCaller> waiting = new LinkedHashSet<>();

    void add(WaitingCaller waiter) {
        waiters.add(waiter);
        if (waiter.isRefusable()) {
            refusable.add(waiter);
        }
        if (!waiter.isTry()) {
            waiting.add(waiter);
        }
    }

    void remove(WaitingCaller waiter) {
        waiters.remove(waiter);
        refusable.remove(waiter);
        waiting.remove(waiter);
    }

    void clear() {
        waiters.clear();
        refusable.clear();
        waiting.clear();
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    boolean contains(WaitingCaller waiter) {
        return waiters.contains(waiter);
    }

    /** In the order of arrival; a view that cannot be changed. */
    Collection<WaitingCaller> inOrder() {
        return Collections.unmodifiableSet(waiters);
    }

    /** The first waiter that meets the condition. */
    Optional<WaitingCaller> first(Predicate<WaitingCaller> condition) {
        return waiters.stream().filter(condition).findFirst();
    }

    /** The {@linkplain WaitingCaller#isRefusable() refusable} waiters, as they are now. */
    List<WaitingCaller> refusable() {
        return List.copyOf(refusable);
    }

    /** The waiters whose time is over, as they are now. */
    List<WaitingCaller> overdue() {
        return waiters.stream().filter(WaitingCaller::isOverdue).toList();
    }

    boolean wants(Mode mode) {
        return waiters.stream().anyMatch(waiter -> waiter.mode() == mode);
    }

    /** Whether there is a caller that {@linkplain WaitingCaller#isTry() does not wait} and meets the condition. */
    boolean hasTry(Predicate<WaitingCaller> condition) {
        return refusable.stream().anyMatch(waiter -> waiter.isTry() && condition.test(waiter));
    }

    /** The callers that do wait, and whose time is not over, if they came before this one. */
    List<WaitingCaller> stillWaitingBefore(WaitingCaller waiter) {
        return waiting.stream()
                .filter(other -> !other.isOverdue() && other.cameBefore(waiter))
                .toList();
    }

    /** How many callers came before this one. Callers that do not wait are not counted. */
    long waitingBefore(WaitingCaller waiter) {
        return waiting.stream().filter(other -> other.cameBefore(waiter)).count();
    }

    /** The shortest wait of the callers here, as each has asked for it. Callers that do not wait do not count. */
    Optional<Duration> shortestWait() {
        return waiting.stream().map(waiter -> waiter.spec().waitLimit()).min(Duration::compareTo);
    }

    /** The store has answered a call that was sent at this moment. */
    void answered(Moment sentAt) {
        waiters.forEach(waiter -> waiter.answered(sentAt));
    }

    /** The store's answer to a call that was sent at this moment has shown the item. */
    void shown(Moment sentAt, boolean isConsistent) {
        answered(sentAt);
        if (isConsistent) {
            waiters.forEach(waiter -> waiter.itemShown(sentAt));
        }
    }

    /** The caller's time is over. */
    void timeIsOver(WaitingCaller waiter) {
        waiter.timeIsOver();
    }

    /** The caller was told that it has a slot. */
    void queued(WaitingCaller waiter) {
        waiter.queued();
    }

    /** The caller was told that the queue is full. */
    void foundFull(WaitingCaller waiter) {
        waiter.foundFull();
    }
}
