package io.dynamolock;

import io.dynamolock.engine.Grant;
import io.dynamolock.engine.Kind;

/** Why a grant was lost, for messages. */
final class LossCause {

    private LossCause() {}

    static String of(Grant grant) {
        return grant.loss()
                .map(reason -> switch (reason) {
                    case SESSION_LOST ->
                        "no heartbeat of this process got through within the lease, or another process took it for"
                                + " dead";
                    case MAX_HOLD -> "its maxHold is over";
                    case TAKEN_AWAY -> "its item in the table was changed or deleted by hand";
                    case CLOSED -> "its registry was closed";
                })
                .orElse(unknown(grant));
    }

    /** A writer's grant ends a moment before its handle knows that it goes on by another. */
    private static String unknown(Grant grant) {
        return grant.kind() == Kind.WRITE
                ? "it goes on as a reader by the handle of another downgrade(), or the reason is not known yet"
                : "the reason is not known yet";
    }
}
