package io.dynamolock.engine;

import io.dynamolock.protocol.Entry;
import java.util.Collection;
import java.util.List;

/** What becomes of a caller that only wants a free lock, and found it taken. Lives on the event loop. */
final class Knock {

    private final EngineParts parts;
    private final EngineContext context;
    private final KeyCalls calls;
    private final Outlook outlook;
    private final Waits waits;
    private final Exit exit;

    Knock(EngineParts parts, KeyCalls calls, Outlook outlook, Waits waits, Exit exit) {
        this.parts = parts;
        this.context = parts.context();
        this.calls = calls;
        this.outlook = outlook;
        this.waits = waits;
        this.exit = exit;
    }

    /**
     * Whether to ask again: when nobody stands in the queue, or nobody in it lives and all are cleared away. A caller that
     * does not wait is told that it is over if somebody lives.
     */
    boolean mayTryAgain(Joining ask) {
        List<Entry> queue = outlook.item().queue();
        if (!queue.isEmpty() && !parts.keeper().isOwn(queue.get(0).session())) {
            parts.heldLong().seen(calls.key(), queue.get(0));
        }
        Entry living = queue.stream()
                .filter(entry -> !exit.isAbandoned(entry))
                .findFirst()
                .orElse(null);
        if (living != null) {
            timeOut(living, ask.block().callers());
        } else if (!queue.isEmpty()) {
            exit.clear(queue.size());
        }
        return queue.isEmpty();
    }

    private void timeOut(Entry living, Collection<Caller> callers) {
        PeerWatch peers = parts.peers();
        boolean isKnown = peers.isAlive(living.session()) || !peers.ask(living.session());
        for (Caller caller : List.copyOf(callers)) {
            if (caller.spec().waitsNotAtAll() && (isKnown || caller.isOutOfPatience(context))) {
                waits.timeOut(caller);
            }
        }
    }
}
