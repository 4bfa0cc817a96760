package io.dynamolock.engine;

import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Vigil;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.stream.Stream;

/**
 * What becomes of callers that do not wait and found the lock taken, or its queue full: if nobody lives who is in their way,
 * those who are dead are cleared away; if somebody lives, callers are told so. Lives on the event loop.
 */
final class Knocking {

    private final KeyParts parts;
    private final Exit exit;

    Knocking(KeyParts parts, Exit exit) {
        this.parts = parts;
        this.exit = exit;
    }

    void listen(Joining sent) {
        List<Entry> queue = parts.outlook.item().queue();
        if (!sent.isWanted() || queue.isEmpty()) {
            return;
        }
        Entry first = queue.get(0);
        if (!parts.engine.keeper().isOwn(first.session())) {
            parts.engine.heldLong().seen(parts.key, first);
        }
        if (sent.isHasty()) {
            knock(sent, queue);
        } else if (queue.size() >= parts.context.settings.maxQueue()) {
            makeRoom(sent, queue);
        }
    }

    private void knock(Joining sent, List<Entry> queue) {
        Entry living = queue.stream()
                .filter(entry -> !exit.isAbandoned(entry))
                .findFirst()
                .orElse(null);
        if (living == null) {
            exit.clear(Vigil.front(queue, queue.size()));
        } else {
            timeOut(sent.callers(), List.of(living));
        }
    }

    /** Each of the dead stands in a place that a caller could have. */
    private void makeRoom(Joining sent, List<Entry> queue) {
        NavigableMap<Integer, Entry> abandoned =
                parts.engine.vigil().toClearAmong(queue, queue.size(), Duration.ZERO, exit::isAbandoned);
        if (abandoned.isEmpty()) {
            // The answer is one for all who had come before the call was sent.
            timeOut(
                    Stream.concat(sent.callers().stream(), parts.gathering.until(sent.sentAt()))
                            .toList(),
                    queue.stream()
                            .filter(entry -> !parts.engine.keeper().isOwn(entry.session()))
                            .toList());
        } else {
            exit.clear(abandoned);
        }
    }

    private void timeOut(Collection<Caller> callers, List<Entry> living) {
        boolean isKnown = true;
        for (Entry entry : living) {
            PeerWatch peers = parts.engine.peers();
            isKnown &= peers.isAlive(entry.session()) || !peers.ask(entry.session());
        }
        for (Caller caller : List.copyOf(callers)) {
            if (caller.spec().waitsNotAtAll() && (isKnown || caller.isOutOfPatience(parts.engine))) {
                parts.waits.timeOut(caller);
            }
        }
    }
}
