package io.dynamolock.simulation;

import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import java.time.Instant;
import java.util.Map;

/** Hears in their order what the processes do and what becomes of their calls; for those who want to write it down. */
public interface Journal {

    /** Writes nothing down. */
    Journal NONE = new Journal() {};

    default void starts(String process, EngineSettings settings) {}

    /**
     * @param nanos by the process's own clock
     * @return by what the call goes from now on
     */
    default int sends(String process, Sent sent, long nanos) {
        return 0;
    }

    /** @return by what the answer goes from now on */
    default int lands(int call, boolean applied, LockItem shown) {
        return 0;
    }

    /** @return by what the answer goes from now on */
    default int lands(int call, boolean applied, Map<SessionId, SessionItem> shown) {
        return 0;
    }

    /** The process has the answer. */
    default void hears(int answer, long nanos, Instant wallClock) {}

    /** The item was removed by TTL or by hand. */
    default void removed(LockKey key) {}

    default void granted(String process, LockKey key, long ticket) {}

    /** The caller gives the lock back. */
    default void letGo(String process, LockKey key, long ticket) {}

    /** The caller is told that it held the lock to the end. */
    default void released(String process, LockKey key, long ticket) {}

    default void lost(String process, LockKey key, long ticket, LossReason reason) {}

    default void sessionStarted(String process, SessionId id) {}

    default void sessionLost(String process) {}

    /** It is shut down in order. */
    default void stops(String process) {}

    default void dies(String process) {}
}
