package io.dynamolock.engine;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A grant of its own engine, to be ended by two threads at once. */
public final class GrantInPlay {

    static final Duration LEASE = Duration.ofSeconds(20);
    static final Duration DRIFT_MARGIN = Duration.ofSeconds(1);
    static final EngineSettings SETTINGS = new EngineSettings(
            "stressed",
            LEASE,
            Duration.ofSeconds(5),
            DRIFT_MARGIN,
            Duration.ofMillis(20),
            Duration.ofSeconds(1),
            Duration.ZERO,
            Duration.ofMinutes(5),
            Duration.ofSeconds(4),
            32,
            Duration.ofDays(7),
            200);
    static final LockKey KEY = new LockKey("k", "default");
    static final Duration MAX_HOLD = Duration.ofSeconds(10);
    static final AcquireSpec SPEC = new AcquireSpec(KEY, "default", AcquireSpec.FOREVER, null, null);
    static final AcquireSpec SHORT_SPEC = new AcquireSpec(KEY, "default", AcquireSpec.FOREVER, MAX_HOLD, null);

    private final EngineInPlay play = new EngineInPlay();
    final StoppedTime time = play.time;
    final Ends ends = play.ends;
    final GrantedLock grant;
    private final AtomicInteger told = new AtomicInteger();

    public GrantInPlay() {
        this(SPEC);
    }

    GrantInPlay(AcquireSpec spec) {
        grant = (GrantedLock) play.hold(spec);
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

    /** Begins a shutdown; the loop does its part when the test lets it. */
    void close() {
        play.engine.shutdown();
    }

    /** Lets the loop finish. */
    public GrantInPlay settle() {
        play.loop.runAll();
        return this;
    }

    /** What was heard of the end. */
    String story() {
        return ends.released() + " released; " + ends.lost() + " lost; " + told.get() + " told; "
                + play.engine.held().size() + " held";
    }

    static String answer(CompletableFuture<Boolean> release) {
        return release.isDone() ? String.valueOf(release.join()) : "no answer";
    }
}
