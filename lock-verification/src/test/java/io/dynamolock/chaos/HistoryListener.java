package io.dynamolock.chaos;

import io.dynamolock.LockEvent;
import io.dynamolock.LockListener;

/** Writes down what the registry tells; the requests' names are the attempts' ids. */
final class HistoryListener implements LockListener {

    private final HistoryFile history;

    HistoryListener(HistoryFile history) {
        this.history = history;
    }

    @Override
    public void queued(LockEvent.Queued event) {
        history.add("queued", "id", event.name(), "token", event.fencingToken());
    }

    @Override
    public void acquired(LockEvent.Acquired event) {
        history.add("acquired", "id", event.name(), "token", event.fencingToken());
    }

    @Override
    public void lost(LockEvent.Lost event) {
        history.add("lost", "id", event.name(), "token", event.fencingToken(), "reason", event.reason());
    }

    @Override
    public void sessionStarted(LockEvent.SessionStarted event) {
        history.add("session-started", "session", event.session());
    }

    @Override
    public void sessionLost(LockEvent.SessionLost event) {
        history.add("session-lost", "session", event.session());
    }

    @Override
    public void storeCallFailed(LockEvent.StoreCallFailed event) {
        history.add("call-failed", "step", event.operation(), "cause", event.cause());
    }
}
