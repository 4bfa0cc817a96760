package io.dynamolock.engine;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.Condition;
import io.dynamolock.protocol.LockItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** How the waits of one lock's callers begin and end, with a place in its queue or without. Lives on the event loop. */
final class Waits {

    private final EngineParts parts;
    private final EngineContext context;
    private final Outlook outlook;
    private final Places places;
    private final Gathering gathering;
    private final boolean oneByOne;
    private final Set<Caller> overdue = new LinkedHashSet<>(0);
    private final List<Caller> untold = new ArrayList<>(0);

    /** @param oneByOne whether one caller has the lock after the other: else each that comes gets a place, and an answer */
    Waits(EngineParts parts, Outlook outlook, Holds hold, Gathering gathering, boolean oneByOne) {
        this.parts = parts;
        this.context = parts.context();
        this.outlook = outlook;
        this.places = new Places(parts, outlook, hold);
        this.gathering = gathering;
        this.oneByOne = oneByOne;
    }

    /**
     * @param alone whether nobody of this process is ahead: then the wait does not end, however short, before the store has
     *     given one answer
     * @param deadline for the end of the wait
     */
    void add(Caller caller, boolean alone, Consumer<Caller> deadline) {
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
        List<Caller> again = callers.stream().filter(Caller::isWaiting).toList();
        for (Caller caller : again) {
            caller.standsIn(null);
            if (!oneByOne && caller.spec().waitsNotAtAll()) {
                caller.owed(Caller.NEVER_YET);
            }
        }
        gathering.putBack(again);
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
        gathering.all().stream()
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
        gathering
                .until(sentAt)
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
        if (caller.end(
                new AcquireOutcome.TimedOut(waited, places.ahead(caller, gathering.callers()), places.holder()))) {
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
                long ahead = places.ahead(caller, gathering.callers());
                caller.markQueued(ahead);
                context.listener.queued(caller.spec(), places.estimate(caller, block), ahead);
            }
        }
        untold.clear();
    }
}
