package io.dynamolock.engine;

import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.store.LockStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How the beginning of a session goes, from the first try until there is one. Lives on the event loop. */
final class Beginning {

    static final String OPERATION = "create session";

    private final EngineContext context;
    private boolean underWay;
    private long since;
    private int failures;
    private boolean wasLate;
    private @Nullable StoreFailure failure;

    Beginning(EngineContext context) {
        this.context = context;
    }

    /** Whether a session is on its way, be it in the pause after a failure. */
    boolean isUnderWay() {
        return underWay;
    }

    /** What became of an earlier one that was given up says nothing of this one. */
    void begins() {
        forget();
        underWay = true;
        since = context.time.nanos();
    }

    /** Nobody needs a session any more. */
    void isGivenUp() {
        underWay = false;
    }

    /** The engine is paused: what becomes of the call under way concerns no later beginning. */
    void paused() {
        forget();
    }

    void succeeded() {
        forget();
    }

    private void forget() {
        underWay = false;
        failures = 0;
        wasLate = false;
        failure = null;
    }

    void failed(StoreFailure why) {
        failure = why;
    }

    /** Before the next try. */
    Duration pause() {
        return context.backoff.delay(++failures);
    }

    /**
     * The session has begun, but its answer came too late. The first time that is forgiven: the way is paved by now. A store
     * that is always so slow gives no session, and who waits has to hear of it.
     */
    @Nullable
    StoreFailure tooLate(Duration took) {
        if (!wasLate) {
            wasLate = true;
            return null;
        }
        StoreFailure late = unavailable("The store answered '" + OPERATION + "' only after " + took
                + ", too late for a lease of " + context.settings.lease());
        context.listener.storeCallFailed(OPERATION, late);
        return late;
    }

    /** Why there is no session, though it was asked for long enough; {@code null} if there is one. */
    @Nullable
    StoreFailure failure() {
        Duration asked = underWay ? context.since(since) : Duration.ZERO;
        return failure != null || asked.compareTo(context.settings.callTimeout()) < 0
                ? failure
                : unavailable("The store has given no session for " + asked);
    }

    private static StoreFailure unavailable(String what) {
        return new StoreFailure(StoreFailure.Kind.UNAVAILABLE, what + ": check the network to it", null);
    }

    /** How long one try may take. */
    Duration limit() {
        return LockStore.timeToBegin(context.settings.callTimeout());
    }
}
