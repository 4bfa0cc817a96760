package io.dynamolock.internal;

import io.dynamolock.LockHandle;
import io.dynamolock.internal.engine.Grant;

/** How messages tell why a lock was lost. */
final class Losses {

    private Losses() {}

    static String cause(Grant grant) {
        return grant.loss()
                .map(reason -> switch (reason) {
                    case SESSION_LOST ->
                        "no heartbeat of this process got through within the lease, or another process took it for"
                                + " dead";
                    case MAX_HOLD -> "its maxHold is over";
                    case TAKEN_AWAY -> "its item in the table was changed or deleted by hand";
                    case EVICTED -> "an operator had it taken away (LockAdmin.evict)";
                    case CLOSED -> "its registry was closed";
                    case PAUSED -> "its registry was paused";
                })
                .orElse("the reason is not known yet");
    }

    /** For the middle of a sentence; nothing where the handle is not one of ours. */
    static String because(LockHandle handle) {
        return handle instanceof GrantHandle granted ? ": " + cause(granted.grant()) : "";
    }
}
