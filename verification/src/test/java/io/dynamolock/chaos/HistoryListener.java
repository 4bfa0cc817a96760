package io.dynamolock.chaos;

import io.dynamolock.LockEvent;
import io.dynamolock.LockListener;

/** Writes down the events of the registry. The names of requests are the ids of attempts. */
record HistoryListener(HistoryFile history) implements LockListener {

    @Override
    public void heard(LockEvent event) {
        if (event instanceof LockEvent.Queued queued) {
            history.add("queued id=%s token=%s", queued.name(), queued.fencingToken());
        } else if (event instanceof LockEvent.Acquired acquired) {
            history.add("acquired id=%s token=%s", acquired.name(), acquired.fencingToken());
        } else if (event instanceof LockEvent.Lost lost) {
            history.add("lost id=%s token=%s reason=%s", lost.name(), lost.fencingToken(), lost.reason());
        } else if (event instanceof LockEvent.SessionStarted started) {
            history.add("session-started session=%s", started.session());
        } else if (event instanceof LockEvent.SessionLost lost) {
            history.add("session-lost session=%s", lost.session());
        } else if (event instanceof LockEvent.StoreCallFailed failed) {
            history.add("call-failed step=%s cause=%s", failed.operation(), failed.cause());
        }
    }
}
