package io.dynamolock.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The steps of a session's life: each is one conditional write of its item, which may be absent. */
public sealed interface SessionStep {

    /** Whether the step may be taken with this item. */
    boolean mayChange(Optional<SessionItem> item);

    /** The item after the step; it is gone if this is empty. */
    Optional<SessionItem> changed(Optional<SessionItem> item);

    /** What the step does to this item. */
    default Answer<Optional<SessionItem>> on(Optional<SessionItem> item) {
        return mayChange(item) ? new Answer.Applied<>(changed(item)) : new Answer.Refused<>(item);
    }

    /** Begins a session, with beat 0. Sent at most once for an id, for a late second landing would bring the dead back. */
    record Begin(Duration lease, String owner, Instant at) implements SessionStep {

        @Override
        public boolean mayChange(Optional<SessionItem> item) {
            return item.isEmpty();
        }

        @Override
        public Optional<SessionItem> changed(Optional<SessionItem> item) {
            return Optional.of(new SessionItem(0, lease, owner, at, Set.of()));
        }
    }

    /**
     * A heartbeat, which also takes away the disputes that its process has settled. If it lands after a later one, it
     * is refused, and the answer shows that the session lives.
     *
     * @param number counts the beats of this session, from 1
     */
    record Beat(long number, Set<Dispute> settled, Instant at) implements SessionStep {

        public Beat {
            settled = Set.copyOf(settled);
        }

        @Override
        public boolean mayChange(Optional<SessionItem> item) {
            return item.isPresent() && item.get().beat() < number;
        }

        @Override
        public Optional<SessionItem> changed(Optional<SessionItem> item) {
            return item.map(found -> {
                Set<Dispute> open = new HashSet<>(found.disputes());
                open.removeAll(settled);
                return new SessionItem(number, found.lease(), found.owner(), at, open);
            });
        }
    }

    /** Another process declares the session dead, if it still shows this beat. A session that is gone is dead. */
    record Bury(long beat) implements SessionStep {

        @Override
        public boolean mayChange(Optional<SessionItem> item) {
            return item.isEmpty() || item.get().beat() == beat;
        }

        @Override
        public Optional<SessionItem> changed(Optional<SessionItem> item) {
            return Optional.empty();
        }
    }

    /** Its own process ends the session. */
    record End() implements SessionStep {

        @Override
        public boolean mayChange(Optional<SessionItem> item) {
            return true;
        }

        @Override
        public Optional<SessionItem> changed(Optional<SessionItem> item) {
            return Optional.empty();
        }
    }

    /** A waiter asks the session's process about a block. It gets the question with its next beat. */
    record Raise(Dispute dispute) implements SessionStep {

        /** How many a session carries at the most. */
        public static final int MOST = 20;

        @Override
        public boolean mayChange(Optional<SessionItem> item) {
            return item.isPresent()
                    && (item.get().disputes().size() < MOST
                            || item.get().disputes().contains(dispute));
        }

        @Override
        public Optional<SessionItem> changed(Optional<SessionItem> item) {
            return item.map(found -> {
                Set<Dispute> more = new HashSet<>(found.disputes());
                more.add(dispute);
                return new SessionItem(found.beat(), found.lease(), found.owner(), found.beatAt(), more);
            });
        }
    }
}
