package io.dynamolock.internal.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One conditional write of a session's item. The item may be absent before the write, after it, or both. */
public sealed interface SessionEdit {

    /** The effect of the edit on an item: what the store answers if this item is there. */
    default Answer<Optional<SessionItem>> on(Optional<SessionItem> item) {
        return allows(item) ? new Answer<>(after(item), true) : new Answer<>(item, false);
    }

    /** Whether the condition of the write holds. The default is a write without a condition. */
    default boolean allows(Optional<SessionItem> item) {
        return true;
    }

    /** The item after the write, if the write is allowed. The default is a write that deletes the item. */
    default Optional<SessionItem> after(Optional<SessionItem> item) {
        return Optional.empty();
    }

    /**
     * Begins a session. It is sent at most once per id: a second sending that arrives late could bring back a session
     * that was declared dead.
     *
     * @param at {@link SessionItem#heartbeatAt}
     */
    record Begin(Duration lease, String owner, @Nullable Instant at) implements SessionEdit {

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
     * A heartbeat. It also removes the notices that the process has read. A heartbeat that arrives after a later one is
     * refused, and the answer still shows that the session lives.
     *
     * @param number counts the heartbeats of this session, from 1
     * @param heard the texts to remove from the item's notices, including texts that are no notice
     * @param at {@link SessionItem#heartbeatAt}
     */
    record Heartbeat(
            long number, Set<String> heard, @Nullable Instant at) implements SessionEdit {

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

    /**
     * Another process declares the session dead if it still shows this heartbeat. A session without an item is dead.
     */
    record Expire(long heartbeat) implements SessionEdit {

        @Override
        public boolean allows(Optional<SessionItem> item) {
            return item.isEmpty() || item.get().heartbeat() == heartbeat;
        }
    }

    /** The session's own process ends it. */
    record End() implements SessionEdit {}

    /** Another process leaves a notice, which the session's process reads with its next heartbeat. */
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
