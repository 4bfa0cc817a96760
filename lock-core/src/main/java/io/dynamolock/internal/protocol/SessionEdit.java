package io.dynamolock.internal.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** A write of a session's item, which may be absent before it and after it: one conditional write each. */
public sealed interface SessionEdit {

    /** What the edit does to this item. */
    default Answer<Optional<SessionItem>> on(Optional<SessionItem> item) {
        return allows(item) ? new Answer<>(after(item), true) : new Answer<>(item, false);
    }

    /** By default it is allowed whatever there is. */
    default boolean allows(Optional<SessionItem> item) {
        return true;
    }

    /** The item after the edit, if it is allowed; by default there is none. */
    default Optional<SessionItem> after(Optional<SessionItem> item) {
        return Optional.empty();
    }

    /** Begins a session. Sent at most once for an id, because a late second landing would bring the dead back. */
    record Begin(Duration lease, String owner, Instant at) implements SessionEdit {

        @Override
        public boolean allows(Optional<SessionItem> item) {
            return item.isEmpty();
        }

        @Override
        public Optional<SessionItem> after(Optional<SessionItem> item) {
            return Optional.of(new SessionItem(0, lease, owner, at, Set.of()));
        }
    }

    /**
     * A heartbeat, which also takes away the notices that its process has heard, and what there is instead of some. One that lands after
     * a later one is refused, and the answer shows that the session lives.
     *
     * @param number counts the heartbeats of this session, from 1
     */
    record Heartbeat(long number, Set<String> heard, Instant at) implements SessionEdit {

        @Override
        public boolean allows(Optional<SessionItem> item) {
            return item.isPresent() && item.get().heartbeat() < number;
        }

        @Override
        public Optional<SessionItem> after(Optional<SessionItem> item) {
            return item.map(found -> {
                Set<String> left = new LinkedHashSet<>(found.notices());
                left.removeAll(heard);
                return new SessionItem(number, found.lease(), found.owner(), at, left);
            });
        }
    }

    /** Another process declares the session dead, if it still shows this heartbeat. A session without an item is dead. */
    record Expire(long heartbeat) implements SessionEdit {

        @Override
        public boolean allows(Optional<SessionItem> item) {
            return item.isEmpty() || item.get().heartbeat() == heartbeat;
        }
    }

    /** Its own process ends the session. */
    record End() implements SessionEdit {}

    /** Leaves a notice, which the session's process hears with its next heartbeat. */
    record Notify(Notice notice) implements SessionEdit {

        @Override
        public boolean allows(Optional<SessionItem> item) {
            return item.isPresent()
                    && (item.get().notices().contains(notice.text())
                            || item.get().notices().size() < SessionItem.MOST_NOTICES);
        }

        @Override
        public Optional<SessionItem> after(Optional<SessionItem> item) {
            return item.map(found -> {
                Set<String> notices = new LinkedHashSet<>(found.notices());
                notices.add(notice.text());
                return new SessionItem(found.heartbeat(), found.lease(), found.owner(), found.heartbeatAt(), notices);
            });
        }
    }
}
