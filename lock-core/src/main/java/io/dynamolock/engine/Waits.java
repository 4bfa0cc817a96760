package io.dynamolock.engine;

import io.dynamolock.protocol.Condition;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.store.StoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The callers of one lock that have no place yet, and how all of them end their waits. Lives on the event loop. */
final class Waits {

    /** A longer wait has time for looks, however seldom others look. */
    private static final Duration LONGEST_TRY = Duration.ofMillis(10);

    private final EngineParts parts;
    private final EngineContext context;
    private final Outlook outlook;
    private final Places places;
    private final boolean oneByOne;
    private final Duration longestTry;
    private final Set<Caller> gathering = new LinkedHashSet<>();
    private final Set<Caller> overdue = new LinkedHashSet<>(0);
    private final List<Caller> untold = new ArrayList<>(0);
    private long arrivals;

    /** @param oneByOne whether one caller has the lock after the other: else each that comes gets a place, and an answer */
    Waits(EngineParts parts, Outlook outlook, Holds hold, boolean oneByOne) {
        this.parts = parts;
        this.context = parts.context();
        this.outlook = outlook;
        this.places = new Places(parts, outlook, hold);
        this.oneByOne = oneByOne;
        this.longestTry =
                Collections.min(List.of(LONGEST_TRY, context.settings.pollMin().dividedBy(2)));
    }

    /**
     * @param alone whether nobody of this process is ahead: then the wait does not end, however short, before the store has
     *     given one answer
     * @param deadline for the end of the wait
     */
    void add(Caller caller, boolean alone, Consumer<Caller> deadline) {
        caller.arrivesAs(++arrivals);
        gathering.add(caller);
        AcquireSpec spec = caller.spec();
        if (!oneByOne && spec.waitsNotAtAll()) {
            caller.owed(Caller.NEVER_YET);
            overdue.add(caller);
        }
        if (!spec.waitsNotAtAll() && !spec.waitsForever()) {
            if (alone) {
                caller.owed(oneByOne ? outlook.next() : Caller.NEVER_YET);
            }
            caller.expectBefore(spec.waitLimit(), context, deadline);
        }
    }

    /** These need a place again: all who have none are sorted by their arrival. */
    void putBack(Collection<Caller> callers) {
        List<Caller> all = new ArrayList<>(gathering);
        for (Caller caller : callers) {
            if (caller.isWaiting()) {
                caller.standsIn(null);
                if (!oneByOne && caller.spec().waitsNotAtAll()) {
                    caller.owed(Caller.NEVER_YET);
                }
                all.add(caller);
            }
        }
        all.sort(Comparator.comparingLong(Caller::arrival));
        gathering.clear();
        gathering.addAll(all);
    }

    boolean isEmpty() {
        return gathering.isEmpty();
    }

    @Nullable
    Caller first() {
        return gathering.isEmpty() ? null : gathering.iterator().next();
    }

    /**
     * Whether the caller gets no place in the queue for itself: it does not wait, or its wait would be over before it could
     * look. Its block would only be in the way of the others.
     */
    boolean isHasty(Caller caller) {
        return oneByOne && caller.spec().waitLimit().compareTo(longestTry) <= 0;
    }

    /** Whether anybody needs a place in the queue. */
    boolean hasPatient() {
        return gathering.stream().anyMatch(caller -> !isHasty(caller));
    }

    /** The shortest wait of those who need a place in the queue. */
    Duration shortest() {
        return Caller.shortestWait(
                gathering.stream().filter(caller -> !isHasty(caller)).toList());
    }

    /** Takes the first that wait, up to so many: a place that others get is for hasty callers among them, too. */
    Set<Caller> take(int most) {
        return remove(gathering.stream()
                .filter(caller -> !oneByOne || !caller.spec().waitsNotAtAll())
                .limit(most));
    }

    /** Takes the hasty ones before whom nobody else has come. */
    Set<Caller> takeHasty(int most) {
        return remove(gathering.stream().takeWhile(this::isHasty).limit(most));
    }

    private Set<Caller> remove(Stream<Caller> callers) {
        Set<Caller> taken = callers.collect(Collectors.toCollection(LinkedHashSet::new));
        gathering.removeAll(taken);
        return taken;
    }

    List<Caller> gathered() {
        return List.copyOf(gathering);
    }

    Stream<Caller> gatheredUntil(long nanos) {
        return gathered().stream().filter(caller -> caller.startedNanos() - nanos <= 0);
    }

    // Ends

    /** @param deadline for an end that is put off */
    void deadlineReached(Caller caller, Consumer<Caller> deadline) {
        // A wait that gave a call its time has got what a short one is owed, whenever the session began.
        boolean isShort = caller.spec().waitLimit().compareTo(context.settings.callTimeout()) < 0;
        if (isShort && isOwedAnAnswer(caller) && !caller.isOutOfPatience(parts)) {
            overdue.add(caller);
            if (parts.keeper().current() == null) {
                // The beginning of a session may take longer than the call whose failure ends such a wait.
                caller.expectBefore(context.settings.callTimeout(), context, deadline);
            }
        } else {
            expire(caller);
        }
    }

    /** There is no session any more: what ends the waits that are put off is a call that is not even sent yet. */
    void sessionLost(Consumer<Caller> deadline) {
        overdue.stream()
                .filter(caller -> !caller.spec().waitsNotAtAll())
                .forEach(caller -> caller.expectBefore(context.settings.callTimeout(), context, deadline));
    }

    /** Nobody is asked any more: what is put off for an answer ends now, as does what does not wait at all. */
    void paused() {
        gathered().stream()
                .filter(caller -> caller.spec().waitsNotAtAll())
                .forEach(caller -> abandon(caller, new AcquireOutcome.Paused()));
        List.copyOf(overdue).forEach(this::timeOut);
    }

    private boolean isOwedAnAnswer(Caller caller) {
        return !outlook.hasAnswered(caller.owedSince()) && !parts.keeper().isPaused();
    }

    /** Ends the waits that were only kept for the store's first answer, unless that leaves room for doubt. */
    void expireOverdue(Doubts doubts) {
        for (Caller caller : List.copyOf(overdue)) {
            boolean isOver = !isOwedAnAnswer(caller)
                    && (oneByOne || caller.isOutOfPatience(parts) || !doubts.mayHold(caller.block()));
            if (!caller.isWaiting() || isOver) {
                overdue.remove(caller);
                expire(caller);
            }
        }
    }

    /** Ends the waits of those who have no place yet and wait for nothing but an answer: they would be behind others. */
    void expireGathered() {
        for (Caller caller : List.copyOf(overdue)) {
            if (gathering.contains(caller)) {
                overdue.remove(caller);
                expire(caller);
            }
        }
    }

    /** The answer to a call that was sent then is one for all who had come before. */
    void refuseThoseOfOtherPermits(LockItem item, long sentAt) {
        gatheredUntil(sentAt)
                .filter(caller -> wantsOtherPermits(List.of(caller), item))
                .forEach(caller -> refuse(caller, item.permits()));
    }

    /** Whether these take the lock to have another number of permits than it has. */
    static boolean wantsOtherPermits(Collection<Caller> callers, LockItem item) {
        return callers.stream()
                .mapToInt(caller -> caller.spec().permits())
                .anyMatch(permits -> permits > 0 && !new Condition.PermitsAre(permits).holds(item));
    }

    private void expire(Caller caller) {
        StoreFailure ofTheLock = outlook.failureFor(caller);
        StoreFailure failure = ofTheLock != null ? ofTheLock : parts.keeper().failure();
        if (failure != null && !parts.keeper().isPaused()) {
            fail(caller, failure);
        } else {
            timeOut(caller);
        }
    }

    void timeOut(Caller caller) {
        Duration waited = context.since(caller.startedNanos());
        if (caller.end(new AcquireOutcome.TimedOut(waited, places.ahead(caller, gathering), places.holder()))) {
            context.listener.timedOut(caller.spec(), waited);
            forget(caller);
        }
    }

    /** An operator wants its place given up. */
    void evict(Caller caller) {
        Duration waited = context.since(caller.startedNanos());
        if (caller.end(new AcquireOutcome.Evicted(waited))) {
            context.listener.evicted(caller.spec(), waited);
            forget(caller);
        }
    }

    /** The lock has another number of permits than the caller takes it to have. */
    void refuse(Caller caller, int permits) {
        abandon(caller, new AcquireOutcome.OtherPermits(permits));
    }

    void fail(Caller caller, StoreFailure failure) {
        abandon(caller, new AcquireOutcome.Failed(context.since(caller.startedNanos()), failure));
    }

    /** These wanted the lock only if it has an item. */
    void notFound(Collection<Caller> callers) {
        callers.forEach(caller -> abandon(caller, new AcquireOutcome.NotFound()));
    }

    void close(Caller caller) {
        abandon(caller, new AcquireOutcome.Closed());
    }

    private void abandon(Caller caller, AcquireOutcome how) {
        if (caller.end(how)) {
            left(caller);
        }
    }

    /** The caller has ended its wait by itself. */
    void left(Caller caller) {
        context.listener.abandoned(caller.spec(), context.since(caller.startedNanos()));
        forget(caller);
    }

    /** Nobody waits in vain for what the store refuses for good, or does not give for longer than a call may take. */
    void failImpatient(Collection<Caller> callers, StoreFailure failure) {
        for (Caller caller : List.copyOf(callers)) {
            boolean isImpatient =
                    (caller.spec().waitsNotAtAll() || overdue.contains(caller)) && caller.isOutOfPatience(parts);
            if (failure.isForGood()) {
                fail(caller, failure);
            } else if (isImpatient) {
                expire(caller);
            }
        }
    }

    private void forget(Caller caller) {
        caller.cancelDeadline();
        gathering.remove(caller);
        Block block = caller.block();
        if (block != null) {
            block.forget(caller);
        }
    }

    // Places

    /** These callers have a place; they are told unless the lock is theirs by the end of this event. */
    void haveAPlace(Collection<Caller> callers) {
        untold.addAll(callers);
        if (!oneByOne) {
            callers.forEach(caller -> caller.owed(0));
        }
    }

    void tellQueued() {
        for (Caller caller : untold) {
            Block block = caller.block();
            if (caller.isWaiting() && !caller.wasQueued() && block != null) {
                long ahead = places.ahead(caller, gathering);
                caller.markQueued(ahead);
                context.listener.queued(caller.spec(), places.estimate(caller, block), ahead);
            }
        }
        untold.clear();
    }
}
