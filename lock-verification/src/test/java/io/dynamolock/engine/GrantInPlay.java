package io.dynamolock.engine;

import io.dynamolock.store.LockKey;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.StoreFailure;
import io.dynamolock.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A grant of its own engine, to be ended by two threads at once. */
public final class GrantInPlay {

    static final Duration LEASE = Duration.ofSeconds(20);
    static final Duration DRIFT_MARGIN = Duration.ofSeconds(1);
    static final EngineSettings SETTINGS = new EngineSettings(
            "stressed",
            LEASE,
            Duration.ofSeconds(5),
            DRIFT_MARGIN,
            Duration.ofMillis(50),
            Duration.ofSeconds(1),
            Duration.ZERO,
            Duration.ofMinutes(5),
            Duration.ofSeconds(4),
            32,
            Duration.ofDays(7));
    static final LockKey KEY = new LockKey("k", "default");
    static final Duration MAX_HOLD = Duration.ofSeconds(10);
    static final AcquireSpec SPEC = new AcquireSpec(KEY, "default", AcquireSpec.FOREVER, null, null);
    static final AcquireSpec SHORT_SPEC = new AcquireSpec(KEY, "default", AcquireSpec.FOREVER, MAX_HOLD, null);

    private static final SessionId SESSION = new SessionId(new UUID(0, 1));

    final StoppedTime time = new StoppedTime();
    final Ends ends = new Ends();
    final Grants grants = new Grants(Runnable::run);
    final GrantedLock grant;
    private final SteppedLoop loop = new SteppedLoop();
    private final AtomicInteger told = new AtomicInteger();

    public GrantInPlay() {
        this(SPEC);
    }

    GrantInPlay(AcquireSpec spec) {
        EngineContext context =
                new EngineContext(SETTINGS, new InMemoryLockStore(), loop, time, new SplittableRandom(1), ends, grants);
        Session session = new Session(SESSION, SETTINGS, time, Session.Sending.now(time));
        grant = new GrantedLock(context, new KeyQueue(KEY, context, new NoHome()), spec, session, 7);
        grants.add(grant);
    }

    public Grant grant() {
        return grant;
    }

    /** As the loop does when the session is lost. */
    public void lose() {
        grant.lose(LossReason.SESSION_LOST);
    }

    /** As the loop does when it has been held for long enough. */
    void takeAway() {
        time.advance(MAX_HOLD);
        grant.lose(LossReason.MAX_HOLD);
    }

    /** Has a call back counted. */
    void tellMe() {
        grant.onLost(told::incrementAndGet);
    }

    /** As a shutdown does. */
    void close() {
        grants.close();
        grant.lose(LossReason.CLOSED);
    }

    /** Lets the loop finish. */
    public GrantInPlay settle() {
        loop.runAll();
        return this;
    }

    /** What was heard of the end. */
    String story() {
        return ends.released() + " released; " + ends.lost() + " lost; " + told.get() + " told; "
                + grants.active().size() + " active";
    }

    static String answer(CompletableFuture<Boolean> release) {
        return release.isDone() ? String.valueOf(release.join()) : "no answer";
    }

    /** Nothing of the queue's surroundings is needed for the end of a grant. */
    private static final class NoHome implements KeyQueue.Home {

        @Override
        public @Nullable Session session() {
            return null;
        }

        @Override
        public @Nullable StoreFailure sessionFailure() {
            return null;
        }

        @Override
        public void checkSession() {}

        @Override
        public boolean isOwnSession(SessionId id) {
            return false;
        }

        @Override
        public PeerWatch peers() {
            throw new UnsupportedOperationException();
        }

        @Override
        public HeldLongWatch heldLong() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void waitEnded(Caller caller) {}

        @Override
        public void queueIsIdle(KeyQueue queue) {}
    }
}
