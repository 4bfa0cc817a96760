package io.dynamolock.simulation;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import java.util.Optional;

/** What the table does with a step: the protocol's rules, or others on purpose. */
public interface Rules {

    /** The protocol's rules. */
    Rules INTACT = new Rules() {};

    default Answer<LockItem> on(Step step, LockItem item) {
        return step.on(item);
    }

    default Answer<Optional<SessionItem>> on(SessionStep step, Optional<SessionItem> item) {
        return step.on(item);
    }
}
