package io.dynamolock;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.HoldLimits;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** How a handle changes for how long its lock may and must be held. The rules are those of a request. */
final class HandleLimits {

    private HandleLimits() {}

    static void change(GrantHandle handle, Grant grant, UnaryOperator<LockRequest> change) {
        boolean isChanged = false;
        while (!isChanged) {
            handle.ensureValid();
            HoldLimits before = grant.limits();
            AcquireSpec after = change.apply(request(grant.key(), before)).toSpec(Duration.ZERO);
            isChanged = grant.limit(before, new HoldLimits(after.maxHold(), after.holdAtLeast()));
        }
    }

    private static LockRequest request(LockKey key, HoldLimits limits) {
        LockRequest request = LockRequest.of(key.key()).namespace(key.namespace());
        Duration maxHold = limits.maxHold();
        Duration holdAtLeast = limits.holdAtLeast();
        request = maxHold == null ? request : request.maxHold(maxHold);
        return holdAtLeast == null ? request : request.holdAtLeast(holdAtLeast);
    }
}
