package io.dynamolock.internal.engine;

import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the items of own sessions that are over, which frees everything that was held under them. Lives on the event
 * loop.
 *
 * <p>If there certainly is such an item, a deletion that fails is repeated, with growing pauses and as soon as another
 * session has begun, until it is answered or the engine has stopped. A session whose beginning had no answer probably
 * has no item: in an outage a process tries to begin one each second. Those sessions are looked for once, when another
 * session has begun, and only the items that are found are deleted.
 */
final class SessionDeletions {

    /** How many sessions are remembered that may have begun, the latest ones. TTL removes the items of the others. */
    private static final int MOST_DOUBTFUL = LockStore.MOST_SESSIONS;

    private final EngineSettings settings;
    private final LockStore store;
    private final StoreCalls calls;
    private final EventLoop loop;
    private final TimeSource time;
    private final BooleanSupplier isStopped;
    private final Consumer<SessionId> over;

    /** The sessions whose deletion is still to be sent, is under way, or is to be repeated. */
    private final Map<SessionId, Deletion> open = new LinkedHashMap<>();

    /** The sessions that may have begun and have not been looked for. */
    private final Set<SessionId> doubtful = new LinkedHashSet<>();

    /** Whether a session has begun and is not over, so that the store answers. */
    private boolean hasSession;

    /** How many calls are under way that look for sessions. */
    private int looks;

    /** Whether the engine closes, so that no session begins any more. Set once. */
    private boolean isClosing;

    /** The deletion of one session's item. */
    private final class Deletion {

        private final SessionId id;

        /** The latest pause after a failure, or the shortest before the first. */
        private Duration pause = Backoff.SHORTEST;

        /** Sends the deletion, or repeats it; {@code null} while a call is under way. */
        private EventLoop.@Nullable Timer timer;

        /** Whether the deletion was sent. Set once. */
        private boolean isBegun;

        Deletion(SessionId id) {
            this.id = id;
        }

        void sendAfter(Duration delay) {
            timer = loop.schedule(this::send, delay);
        }

        /** Sends the deletion now, unless a call is under way. */
        void sendNow() {
            if (timer != null) {
                timer.cancel();
                send();
            }
        }

        void send() {
            timer = null;
            isBegun = true;
            // From now on, the entries of the session are those of a dead one, whether or not the call gets through.
            over.accept(id);
            calls.send(
                    "end session",
                    () -> store.edit(id, new SessionEdit.End(), time.now()),
                    answer -> open.remove(id),
                    failure -> {
                        if (isStopped.getAsBoolean()) {
                            open.remove(id);
                        } else {
                            pause = Durations.shorter(pause.multipliedBy(2), settings.heartbeat());
                            sendAfter(pause);
                        }
                    });
        }
    }

    /**
     * @param isStopped whether the engine has stopped, so that nothing is repeated any more
     * @param over called with each session whose item is to be deleted now
     */
    SessionDeletions(
            EngineSettings settings,
            LockStore store,
            StoreCalls calls,
            EventLoop loop,
            TimeSource time,
            BooleanSupplier isStopped,
            Consumer<SessionId> over) {
        this.settings = settings;
        this.store = store;
        this.calls = calls;
        this.loop = loop;
        this.time = time;
        this.isStopped = isStopped;
        this.over = over;
    }

    /** @param isCertain whether the session has an item for certain */
    void delete(SessionId id, boolean isCertain) {
        if (isCertain) {
            open(id).send();
        } else {
            doubt(id);
            if (isClosing || hasSession) {
                lookForDoubtful();
            }
        }
    }

    private void doubt(SessionId id) {
        doubtful.add(id);
        if (doubtful.size() > MOST_DOUBTFUL) {
            doubtful.remove(doubtful.iterator().next());
        }
    }

    /** Deletes the item of a session that has one for certain, after this time. */
    void deleteAfter(Duration delay, SessionId id) {
        open(id).sendAfter(delay);
    }

    private Deletion open(SessionId id) {
        return open.computeIfAbsent(id, Deletion::new);
    }

    /** A session has begun, so the store answers: what has failed before is repeated now. */
    void sessionBegan() {
        hasSession = true;
        List.copyOf(open.values()).stream().filter(deletion -> deletion.isBegun).forEach(Deletion::sendNow);
        lookForDoubtful();
    }

    void sessionOver() {
        hasSession = false;
    }

    /** The engine closes: sends the deletions that wait for their time. */
    void deleteAllNow() {
        isClosing = true;
        List.copyOf(open.values()).forEach(Deletion::sendNow);
        lookForDoubtful();
    }

    boolean isEmpty() {
        return open.isEmpty() && looks == 0;
    }

    private void lookForDoubtful() {
        if (doubtful.isEmpty()) {
            return;
        }
        Set<SessionId> sought = Set.copyOf(doubtful);
        doubtful.clear();
        looks++;
        calls.send(
                "read sessions",
                () -> store.sessions(sought),
                found -> {
                    looks--;
                    found.content().forEach((id, item) -> item.ifPresent(shown -> delete(id, true)));
                    // The store has left these out, perhaps for lack of throughput.
                    sought.stream()
                            .filter(id -> !found.content().containsKey(id))
                            .forEach(this::doubt);
                },
                failure -> {
                    looks--;
                    if (!isClosing) {
                        sought.forEach(this::doubt);
                    }
                });
    }
}
