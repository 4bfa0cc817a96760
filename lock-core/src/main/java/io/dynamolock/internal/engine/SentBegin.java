package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.SessionEdit;

/**
 * The beginning of a session. It is sent at most once for each id: a second one that lands late would bring an expired
 * session back.
 */
final class SentBegin extends SentCall {

    private final Validity candidate;
    private final SessionEdit.Begin edit;

    /** @param candidate the validity of the session if the beginning succeeds */
    SentBegin(Validity candidate, SessionEdit.Begin edit) {
        super(candidate.begun().moment());
        this.candidate = candidate;
        this.edit = edit;
    }

    Validity candidate() {
        return candidate;
    }

    SessionEdit.Begin edit() {
        return edit;
    }
}
