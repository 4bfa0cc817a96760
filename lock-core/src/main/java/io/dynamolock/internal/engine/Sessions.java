package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.SessionId;
import org.jspecify.annotations.Nullable;

/** What is known of other processes' sessions. A question changes nothing. */
interface Sessions {

    /** Whether its item is gone for good: nobody will ever release what is its. */
    boolean isDead(SessionId id);

    /** Whether it has missed a heartbeat. */
    boolean isQuiet(SessionId id);

    /** Whether it was seen to live not long ago. */
    boolean isAlive(SessionId id, long nowNanos);

    /** The name of its process, if it has been read. */
    @Nullable
    String owner(SessionId id);
}
