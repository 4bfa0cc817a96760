package io.dynamolock.engine;

import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * This process's session, as it is at one moment.
 *
 * @param owner the name of the process
 * @param since when it was begun, by the wall clock
 * @param lastBeat when the last heartbeat that got through was sent, by the wall clock
 * @param remaining how long it is certainly alive if no further one gets through
 */
public record OwnSession(SessionId id, String owner, Instant since, Instant lastBeat, Duration remaining) {

    /** Empty without a valid one. */
    static Optional<OwnSession> of(@Nullable Session session, String owner) {
        Duration remaining = session == null ? Duration.ZERO : session.remaining();
        return session == null || remaining.isZero()
                ? Optional.empty()
                : Optional.of(new OwnSession(session.id(), owner, session.createdAt(), session.beatenAt(), remaining));
    }
}
