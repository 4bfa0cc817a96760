package io.dynamolock.protocol;

import io.dynamolock.internal.protocol.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The steps of a session's life: each is one conditional write of its item, which may be absent. */
public sealed interface SessionStep {

    /** What the step does to this item; the item is gone if there is none after the step. */
    Answer<Optional<SessionItem>> on(Optional<SessionItem> item);

    /**
     * Begins a session, with beat 0. Sent at most once for an id, for a late second landing would bring the dead back.
     *
     * @param keptUntil for one that only keeps a lock, see {@link SessionItem#keptUntil()}
     */
    record Begin(
            Duration lease,
            String owner,
            Instant at,
            @Nullable Instant keptUntil) implements SessionStep {

        public Begin(Duration lease, String owner, Instant at) {
            this(lease, owner, at, null);
        }

        @Override
        public Answer<Optional<SessionItem>> on(Optional<SessionItem> item) {
            return item.isPresent() ? new Answer.Refused<>(item) : new Answer.Applied<>(Optional.of(begun()));
        }

        /** The item as it begins. */
        public SessionItem begun() {
            return new SessionItem(0, lease, owner, at, Set.of(), keptUntil);
        }
    }

    /**
     * A heartbeat, which also takes away the disputes that its process has settled, and the evictions that it has obeyed. If
     * it lands after a later one, it is refused, and the answer shows that the session lives.
     *
     * @param number counts the beats of this session, from 1
     */
    record Beat(long number, Set<Dispute> settled, Set<Eviction> obeyed, Instant at) implements SessionStep {

        public Beat {
            settled = SessionItem.inOrder(settled);
            obeyed = SessionItem.inOrder(obeyed);
        }

        /** Of a process that was told to give up nothing. */
        public Beat(long number, Set<Dispute> settled, Instant at) {
            this(number, settled, Set.of(), at);
        }

        @Override
        public Answer<Optional<SessionItem>> on(Optional<SessionItem> item) {
            if (item.isEmpty() || item.get().beat() >= number) {
                return new Answer.Refused<>(item);
            }
            SessionItem found = item.get();
            Set<Dispute> open = new LinkedHashSet<>(found.disputes());
            open.removeAll(settled);
            Set<Eviction> toObey = new LinkedHashSet<>(found.evictions());
            toObey.removeAll(obeyed);
            return new Answer.Applied<>(Optional.of(
                    new SessionItem(number, found.lease(), found.owner(), at, open, toObey, found.keptUntil())));
        }
    }

    /** Another process declares the session dead, if it still shows this beat. A session that is gone is dead. */
    record Bury(long beat) implements SessionStep {

        @Override
        public Answer<Optional<SessionItem>> on(Optional<SessionItem> item) {
            return item.isEmpty() || item.get().beat() == beat
                    ? new Answer.Applied<>(Optional.empty())
                    : new Answer.Refused<>(item);
        }
    }

    /** Its own process ends the session. */
    record End() implements SessionStep {

        @Override
        public Answer<Optional<SessionItem>> on(Optional<SessionItem> item) {
            return new Answer.Applied<>(Optional.empty());
        }
    }

    /** A waiter asks the session's process about a block. It gets the question with its next beat. */
    record Raise(Dispute dispute) implements SessionStep {

        /** How many a session carries at the most. */
        public static final int MOST = 20;

        @Override
        public Answer<Optional<SessionItem>> on(Optional<SessionItem> item) {
            Set<Dispute> disputes = new LinkedHashSet<>();
            item.ifPresent(found -> disputes.addAll(found.disputes()));
            disputes.add(dispute);
            if (item.isEmpty() || disputes.size() > MOST) {
                return new Answer.Refused<>(item);
            }
            return new Answer.Applied<>(Optional.of(item.get().withDisputes(disputes)));
        }
    }

    /**
     * An operator tells the session's process to give up a place. It hears of it with its next beat. Refused by a session
     * that only keeps a lock: nobody would hear of it there.
     */
    record Evict(Eviction eviction) implements SessionStep {

        /** How many a session carries at the most. */
        public static final int MOST = 20;

        @Override
        public Answer<Optional<SessionItem>> on(Optional<SessionItem> item) {
            Set<Eviction> evictions = new LinkedHashSet<>();
            item.ifPresent(found -> evictions.addAll(found.evictions()));
            evictions.add(eviction);
            if (item.isEmpty() || item.get().keptUntil() != null || evictions.size() > MOST) {
                return new Answer.Refused<>(item);
            }
            return new Answer.Applied<>(Optional.of(item.get().withEvictions(evictions)));
        }
    }
}
