package io.dynamolock.simulation;

import io.dynamolock.engine.LossReason;
import io.dynamolock.protocol.Answer;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.LockKey;
import io.dynamolock.protocol.SessionId;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Hears in their order the steps that landed and what the processes made of it; for those who want to write it down. */
public interface Journal {

    /** Writes nothing down. */
    Journal NONE = new Journal() {};

    default void step(String process, LockKey key, Step step, Answer<LockItem> answer) {}

    default void session(String process, SessionId id, SessionStep step, Answer<Optional<SessionItem>> answer) {}

    /** The process has an answer that shows this item. */
    default void hears(String process, LockKey key, LockItem item, boolean consistent) {}

    /** The item was removed by TTL or by hand. */
    default void removed(LockKey key) {}

    /** @param block {@code null} if it stood in an item that was removed */
    default void granted(String process, LockKey key, @Nullable BlockId block, long ticket) {}

    default void released(String process, LockKey key, long ticket) {}

    default void lost(String process, LockKey key, long ticket, LossReason reason) {}

    default void dies(String process) {}
}
