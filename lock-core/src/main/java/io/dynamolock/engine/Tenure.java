package io.dynamolock.engine;

import io.dynamolock.internal.engine.LossReason;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * For how long an owner that does not let go has its lock: since it was granted, and as far as the session, the longest hold
 * and the end of all grants of this process let it. An owner that goes on as a reader goes on in the same tenure. Thread-safe.
 */
final class Tenure {

    private final EngineContext context;
    private final Grants grants;
    private final Session session;
    private final ChangingLimits limits;
    private final long grantedNanos;
    private final Instant since;

    /** It begins now. */
    Tenure(EngineContext context, Grants grants, Session session, ChangingLimits limits) {
        this.context = context;
        this.grants = grants;
        this.session = session;
        this.limits = limits;
        this.grantedNanos = context.time.nanos();
        this.since = context.time.now();
    }

    Instant since() {
        return since;
    }

    Duration held() {
        return context.since(grantedNanos);
    }

    /** What is left of it as far as this process knows; zero if it is over. */
    Duration remaining() {
        return grants.isClosed() ? Duration.ZERO : owned();
    }

    private Duration owned() {
        Duration remaining = session.remaining();
        Duration rest = restOfLongestHold();
        return rest != null && rest.compareTo(remaining) < 0 ? rest : remaining;
    }

    /** Zero from the moment on in which it was first seen to be over; {@code null} without a limit. */
    @Nullable
    Duration restOfLongestHold() {
        return limits.rest(this::held);
    }

    /** Why the lock is its owner's no more, though nobody has told it yet; {@code null} while it is. */
    @Nullable
    LossReason whyLost() {
        LossReason ofAll = grants.isClosed() ? LossReason.CLOSED : session.loss();
        return ofAll == null && owned().isZero() ? LossReason.MAX_HOLD : ofAll;
    }
}
