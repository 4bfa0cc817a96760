package io.dynamolock;

import io.dynamolock.internal.LockEngine;
import java.util.List;
import java.util.Optional;

/** What an engine has at this moment, for people. */
final class EngineViews {

    private EngineViews() {}

    static List<HeldLock> held(LockEngine engine) {
        return engine.held().stream()
                .map(grant -> new HeldLock(
                        grant.key().key(),
                        grant.key().namespace(),
                        grant.name(),
                        grant.ticket(),
                        grant.since(),
                        grant.caller()))
                .toList();
    }

    static List<WaitingCaller> waiters(LockEngine engine) {
        return engine.waiters().stream()
                .map(call -> new WaitingCaller(
                        call.key().key(), call.key().namespace(), call.name(), call.caller(), call.since()))
                .toList();
    }

    static Optional<SessionView> session(LockEngine engine) {
        return engine.session()
                .map(own -> new SessionView(
                        own.id().toString(), own.owner(), own.since(), own.lastHeartbeat(), own.remaining()));
    }
}
