package io.dynamolock.engine;

import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Vigil;
import java.util.Collection;
import java.util.List;

/**
 * What becomes of callers that only want a free lock and found it taken: if nobody in the queue lives, all are cleared
 * away; if somebody lives, callers that do not wait are told so. Lives on the event loop.
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
        Entry living = queue.stream()
                .filter(entry -> !exit.isAbandoned(entry))
                .findFirst()
                .orElse(null);
        if (living == null) {
            exit.clear(Vigil.front(queue, queue.size()));
        } else {
            timeOut(sent.callers(), living);
        }
    }

    private void timeOut(Collection<Caller> callers, Entry living) {
        PeerWatch peers = parts.engine.peers();
        boolean isKnown = peers.isAlive(living.session()) || !peers.ask(living.session());
        for (Caller caller : List.copyOf(callers)) {
            if (caller.spec().waitsNotAtAll() && (isKnown || caller.isOutOfPatience(parts.context))) {
                parts.waits.timeOut(caller);
            }
        }
    }
}
